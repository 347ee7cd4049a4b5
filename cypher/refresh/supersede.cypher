// Supersede a locked answer by the one that was made for it: the watch moves, its window closes.
// params: tenant, answer_id, new_answer_id, recorded_at
// columns: none
// access: write
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[h:HEAD]->(last:AnswerVersion)
MATCH (n:SAVED_ANSWER {tenant: $tenant, answer_id: $new_answer_id})
SET a.status = 'superseded', a.seq = a.seq + 1, a.changed_at = $recorded_at,
    a.recheck_due_at = null, a.expires_at = null
DELETE h
CREATE (n)-[:SUPERSEDES]->(a)
CREATE (a)-[:HEAD]->(:AnswerVersion {
  tenant: $tenant, answer_id: $answer_id, seq: a.seq, status: a.status, severity: a.severity,
  claims_json: a.claims_json, claim_states: a.claim_states, caveats: a.caveats,
  recorded_at: $recorded_at, why: 'superseded'
})-[:PREVIOUS]->(last)
WITH a
OPTIONAL MATCH (w:Watch)-[:FOR]->(a)
SET w.detached_at = $recorded_at
WITH a, w
OPTIONAL MATCH (w)-[x:WATCHES]->()
DELETE x
WITH DISTINCT a
OPTIONAL MATCH (e:Emit {tenant: $tenant, open_for: a.answer_id})
SET e.state = 'suppressed', e.open_for = null, e.closed_at = $recorded_at
