// Claim open changes by id, and queue jobs of up to `batch` for exactly the answers that they touch;
// an answer that several of them touch is in one job, because of each. Deleted and superseded ones
// watch nothing.
// params: tenant, change_ids, token, batch, now, run_at
// columns: jobs
// access: write
UNWIND $change_ids AS change_id
MATCH (c:Change {tenant: $tenant, change_id: change_id})
SET c.locked_by = $token
WITH c WHERE c.state = 'open'
SET c.state = 'done'
WITH c
MATCH (c)-[:CHANGED]->(t)<-[x:WATCHES]-(:Watch)-[:FOR]->(a:SAVED_ANSWER)
WHERE a.checked_seqs IS NULL OR a.checked_seqs[x.idx] < c.seq
WITH a.answer_id AS id, collect(c) AS because ORDER BY id
WITH collect({id: id, because: because}) AS touched
WHERE size(touched) > 0  // range(0, -1, 50) is [0]
UNWIND range(0, size(touched) - 1, $batch) AS i
WITH touched[i..i + $batch] AS part, i
CREATE (j:Job {tenant: $tenant, job_id: $token + '/' + toString(i), kind: 'check:answer',
               audience: 'internal', state: 'open', why: 'change', ids: [each IN part | each.id],
               run_at: $run_at, attempts: 0, created_at: $now})
WITH j, part
UNWIND part AS each
UNWIND each.because AS c
WITH DISTINCT j, c
CREATE (j)-[:BECAUSE]->(c)
RETURN count(DISTINCT j) AS jobs
