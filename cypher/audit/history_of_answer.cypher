// History of an answer
// Every version that an answer ever had, the newest first: its status and claim states, why it was
// written, the event that told of it, and the versions of sources that displaced its citations.
:param tenant => 'default';
:param answer_id => '00000000-0000-0000-0000-000000000000';
MATCH (v:AnswerVersion)
WHERE v.tenant = $tenant AND v.answer_id = $answer_id AND v.seq >= 1
OPTIONAL MATCH head = (:SAVED_ANSWER)-[:HEAD]->(v)
OPTIONAL MATCH older = (v)-[:PREVIOUS]->(:AnswerVersion)
OPTIONAL MATCH event = (e:Emit {tenant: $tenant, emit_id: v.emit_id})-[:ABOUT]->(:SAVED_ANSWER)
RETURN v.seq AS seq, toString(datetime({epochMillis: v.recorded_at / 1000})) AS recorded,
       v.recorded_at AS recorded_at, v.why AS why, v.status AS status, v.severity AS severity,
       v.claim_states AS claim_states, v.caveats AS caveats, v.emit_id AS emit_id,
       e.state AS event_state, e.number AS event_number, head, older, event,
       COLLECT { MATCH displaced = (v)-[:AFFECTED_BY]->(:SourceVersion) RETURN displaced } AS displaced_by
ORDER BY seq DESC;
