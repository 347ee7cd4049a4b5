// Park a task that cannot be done as it was sent, with its payload and the reason.
// params: tenant, job_id, kind, payload_json, reason, now
// columns: job_id
// access: write
MERGE (j:Job {tenant: $tenant, job_id: $job_id})
  ON CREATE SET j.kind = $kind, j.audience = 'internal', j.created_at = $now, j.attempts = 0,
                j.ids = []
SET j.state = 'parked', j.run_at = $now, j.payload_json = $payload_json, j.reason = $reason,
    j.attempts = j.attempts + 1
RETURN j.job_id AS job_id
