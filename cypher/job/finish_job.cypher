// Finish a job whose lease is held; whoever finished it may do so again.
// params: tenant, job_id, token, now
// columns: job_id
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j WHERE j.lease_token = $token
SET j.state = 'done', j.finished_at = coalesce(j.finished_at, $now), j.reason = null
RETURN j.job_id AS job_id
