// Claim an open change and queue one job for up to `batch` of exactly the answers that it touches.
// params: tenant, change_id, token, batch, now, run_at
// columns: jobs
// access: write
MATCH (c:Change {tenant: $tenant, change_id: $change_id})
SET c.locked_by = $token
WITH c WHERE c.state = 'open'
SET c.state = 'done'
WITH c
CALL (c) {
  OPTIONAL MATCH (c)-[:CHANGED]->(t)<-[x:WATCHES]-(:Watch)-[:FOR]->(a:SAVED_ANSWER)
  WHERE a.deleted_at IS NULL AND a.status <> 'superseded'
    AND (a.checked_seqs IS NULL OR a.checked_seqs[x.idx] < c.seq)
  WITH a.answer_id AS id ORDER BY id
  RETURN collect(id) AS ids
}
CALL (c, ids) {
  UNWIND range(0, size(ids) - 1, $batch) AS i
  CREATE (:Job {tenant: $tenant, job_id: c.change_id + '/' + toString(i), kind: 'check:answer',
                audience: 'internal', state: 'open', why: 'change', ids: ids[i..i + $batch],
                run_at: $run_at, attempts: 0, created_at: $now})-[:BECAUSE]->(c)
  RETURN count(*) AS jobs
}
RETURN jobs
