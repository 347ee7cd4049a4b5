// List jobs of a tenant in one state, the longest waiting first.
// params: tenant, state, page
// columns: job_id, kind, why, state, answers, run_at, attempts, reason, created_at
// access: read
MATCH (j:Job)
WHERE j.state = $state AND j.tenant = $tenant AND j.run_at >= 0 AND j.created_at >= 0
RETURN j.job_id AS job_id, j.kind AS kind, j.why AS why, j.state AS state, size(j.ids) AS answers,
       j.run_at AS run_at, j.attempts AS attempts, j.reason AS reason, j.created_at AS created_at
ORDER BY j.state, j.tenant, j.run_at, j.created_at LIMIT $page
