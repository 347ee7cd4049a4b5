// Queue a check that somebody asked for, once under its id.
// params: tenant, job_id, ids, now, run_at
// columns: job_id
// access: write
MERGE (j:Job {tenant: $tenant, job_id: $job_id})
  ON CREATE SET j.kind = 'check:answer', j.audience = 'internal', j.state = 'open', j.why = 'asked',
                j.ids = $ids, j.run_at = $run_at, j.attempts = 0, j.created_at = $now
RETURN j.job_id AS job_id
