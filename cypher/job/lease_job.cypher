// Lease a job to an audience until an instant; no row where another was first or may not have it.
// params: tenant, job_id, audience, token, now, until
// columns: kind, why, attempts
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j
WHERE j.state = 'open' AND j.run_at <= $now AND j.audience = $audience
SET j.lease_token = $token, j.run_at = $until, j.attempts = j.attempts + 1
RETURN j.kind AS kind, j.why AS why, j.attempts AS attempts
