// Tombstone a locked answer: detach its watch, close its window, append its last version.
// params: tenant, answer_id, deleted_at
// columns: none
// access: write
MATCH (n:Tenant {tenant: $tenant})
SET n.answers_live = n.answers_live - 1
WITH n
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[h:HEAD]->(last:AnswerVersion)
SET a.deleted_at = $deleted_at, a.live_trace = null, a.recheck_due_at = null, a.expires_at = null,
    a.seq = a.seq + 1, a.changed_at = $deleted_at
DELETE h
CREATE (a)-[:HEAD]->(:AnswerVersion {
  tenant: $tenant, answer_id: $answer_id, seq: a.seq, status: a.status, severity: a.severity,
  claims_json: a.claims_json, claim_states: a.claim_states, caveats: a.caveats,
  recorded_at: $deleted_at, why: 'deleted', deleted_at: $deleted_at
})-[:PREVIOUS]->(last)
WITH a
OPTIONAL MATCH (w:Watch)-[:FOR]->(a)
SET w.detached_at = $deleted_at
WITH a, w
OPTIONAL MATCH (w)-[x:WATCHES]->()
DELETE x
WITH DISTINCT a
OPTIONAL MATCH (e:Emit {tenant: $tenant, open_for: a.answer_id})
SET e.state = 'suppressed', e.open_for = null, e.closed_at = $deleted_at
