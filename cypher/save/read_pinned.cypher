// Read a trace as something to save: its kind, its time basis, and which answers pin it already.
// params: tenant, trace_id
// columns: kind, question, draft, valid_time, tx_time, saves, live_answer_id
// access: read
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})
OPTIONAL MATCH (live:SAVED_ANSWER {tenant: $tenant, live_trace: $trace_id})
RETURN t.kind AS kind, t.question AS question, t.draft AS draft, t.valid_time AS valid_time,
       t.tx_time AS tx_time, COUNT { (:SAVED_ANSWER)-[:PINS]->(t) } AS saves,
       live.answer_id AS live_answer_id
