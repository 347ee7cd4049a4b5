// Lock answers by id and return those of which nothing moved since they were read: not the head,
// which a deletion or a successor moves too, not the last check, not the seq of anything watched.
// params: tenant, rows, token
// columns: answer_ids
// access: write
UNWIND $rows AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})
SET a.locked_by = $token
WITH a, r
WHERE a.seq = r.seq
  AND coalesce(a.checked_at, -1) = r.was_checked_at
  AND r.seqs = COLLECT { MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
                         RETURN coalesce(t.tiles_seq, t.seq) ORDER BY x.idx }
RETURN collect(a.answer_id) AS answer_ids
