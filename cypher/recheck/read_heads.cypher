// Read the heads of some live answers and the seqs of all that they watch, in watch order.
// params: tenant, ids
// columns: answer_id, seq, status, severity, claims_json, caveats, changed_at, checked_at, checked_seqs, failures, targets, newest_tx, checked_through
// access: read
UNWIND $ids AS id
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: id})
WHERE a.deleted_at IS NULL AND a.status <> 'superseded'
CALL (a) {
  OPTIONAL MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
  WITH x, t ORDER BY x.idx
  RETURN [target IN collect({clarification_id: t.clarification_id, source_id: t.source_id,
                             seq: coalesce(t.tiles_seq, t.seq)})
          WHERE target.seq IS NOT NULL] AS targets,
         max(t.last_tx) AS newest_tx, max(t.last_recorded_at) AS checked_through
}
RETURN a.answer_id AS answer_id, a.seq AS seq, a.status AS status, a.severity AS severity,
       a.claims_json AS claims_json, a.caveats AS caveats, a.changed_at AS changed_at, a.checked_at AS checked_at,
       a.checked_seqs AS checked_seqs, a.failures AS failures, targets, newest_tx, checked_through
