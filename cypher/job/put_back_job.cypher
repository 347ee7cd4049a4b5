// Give a leased job back: to be tried again at an instant, or parked for a person.
// params: tenant, job_id, token, state, run_at, reason
// columns: job_id
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j WHERE j.state = 'open' AND j.lease_token = $token
SET j.state = $state, j.run_at = $run_at, j.reason = $reason, j.lease_token = null
RETURN j.job_id AS job_id
