// Log what happened to answers: why, which were looked at, the outcome of each, and on which to hang it.
// params: tenant, event_id, kind, at, actor, why, answers, outcomes, on
// columns: none
// access: write
CREATE (e:AuditEvent {tenant: $tenant, event_id: $event_id, kind: $kind, at: $at, actor: $actor,
                      why: $why, answers: $answers, outcomes: $outcomes})
WITH e
UNWIND $on AS answer_id
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: answer_id})
CREATE (e)-[:ON]->(a)
