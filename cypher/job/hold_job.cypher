// Lock a job and tell that its lease is still held; no row where it was lost.
// params: tenant, job_id, token
// columns: job_id
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j WHERE j.state = 'open' AND j.lease_token = $token
RETURN j.job_id AS job_id
