// Fill a claimed trace with its claims.
// params: tenant, trace_id, kind, question, draft, valid_time, tx_time, recorded_at, claims
// columns: none
// access: write
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})
SET t.kind = $kind, t.question = $question, t.draft = $draft, t.valid_time = $valid_time,
    t.tx_time = $tx_time, t.recorded_at = $recorded_at
WITH t
UNWIND $claims AS r
CREATE (t)-[:MAKES]->(:Claim {
  tenant: $tenant, trace_id: $trace_id, idx: r.idx, text: r.text, verdict: r.verdict,
  valid_time: r.valid_time, pinned_at: r.pinned_at
})
