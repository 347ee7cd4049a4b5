// Lock some answers that are due, put off when they are due next, and queue their check. One that
// is not checked any more is due no more, or it would stand in the way of the others for good.
// params: tenant, now, until, batch, token, job_id, run_at
// columns: answers, seen
// access: write
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.recheck_due_at <= $now
WITH a ORDER BY a.tenant, a.recheck_due_at LIMIT $batch
WITH a ORDER BY a.answer_id
SET a.locked_by = $token
WITH a WHERE a.recheck_due_at <= $now
WITH a, a.deleted_at IS NULL AND a.status <> 'superseded' AS live
SET a.recheck_due_at = CASE WHEN live THEN $until END
WITH collect(CASE WHEN live THEN a.answer_id END) AS ids, count(a) AS seen
FOREACH (_ IN CASE WHEN size(ids) > 0 THEN [1] ELSE [] END |
  CREATE (:Job {tenant: $tenant, job_id: $job_id, kind: 'check:answer', audience: 'internal',
                state: 'open', why: 'due', ids: ids, run_at: $run_at, attempts: 0,
                created_at: $now, due_until: $until}))
RETURN size(ids) AS answers, seen
