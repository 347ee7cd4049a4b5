// Finish a job whose lease is held.
// params: tenant, job_id, token, now
// columns: job_id
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j WHERE j.state = 'open' AND j.lease_token = $token
SET j.state = 'done', j.finished_at = $now, j.lease_token = null, j.reason = null
RETURN j.job_id AS job_id
