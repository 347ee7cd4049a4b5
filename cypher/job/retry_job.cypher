// Offer a parked job again.
// params: tenant, job_id, token, run_at
// columns: kind, payload_json
// access: write
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.locked_by = $token
WITH j WHERE j.state = 'parked'
SET j.state = CASE WHEN j.payload_json IS NULL THEN 'open' ELSE 'done' END,
    j.run_at = $run_at, j.attempts = 0, j.lease_token = null
RETURN j.kind AS kind, j.payload_json AS payload_json
