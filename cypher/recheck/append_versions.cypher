// Append a version to locked answers whose state changed, tied to the winners that displaced their
// citations, and note the check; a transition opens a window where none is.
// params: tenant, rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})-[h:HEAD]->(last:AnswerVersion)
OPTIONAL MATCH (open:Emit {tenant: $tenant, open_for: r.answer_id})
DELETE h
CREATE (a)-[:HEAD]->(v:AnswerVersion {
  tenant: $tenant, answer_id: r.answer_id, seq: r.seq + 1, status: r.status, severity: r.severity,
  claims_json: r.claims_json, claim_states: r.claim_states, caveats: r.caveats,
  recorded_at: r.recorded_at, why: 'check',
  emit_id: CASE WHEN r.moved THEN coalesce(open.emit_id, r.emit_id) END
})-[:PREVIOUS]->(last)
SET a.seq = r.seq + 1, a.changed_at = r.recorded_at, a.status = r.status, a.severity = r.severity,
    a.claims_json = r.claims_json, a.claim_states = r.claim_states, a.caveats = r.caveats,
    a.checked_at = r.checked_at, a.recheck_due_at = r.recheck_due_at, a.expires_at = r.expires_at,
    a.checked_through = r.checked_through, a.checked_seqs = r.seqs, a.failures = r.failures
FOREACH (_ IN CASE WHEN r.moved AND open IS NULL THEN [1] ELSE [] END |
  CREATE (:Emit {
    tenant: $tenant, emit_id: r.emit_id, answer_id: r.answer_id, open_for: r.answer_id,
    state: 'open', opened_seq: r.seq + 1, opened_at: r.checked_at, due_at: r.window_due_at,
    first_check: r.first_check
  })-[:ABOUT]->(a))
WITH v, r
UNWIND r.winners AS w
MATCH (n:SourceVersion {source_key: w.source_key, tx: w.tx})
CREATE (v)-[:AFFECTED_BY {idx: w.idx}]->(n)
