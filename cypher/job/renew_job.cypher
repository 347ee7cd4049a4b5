// Prolong a lease that is still held.
// params: tenant, job_id, token, until
// columns: run_at
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j WHERE j.state = 'open' AND j.lease_token = $token
SET j.run_at = $until
RETURN j.run_at AS run_at
