// Read some jobs of a tenant that an audience may run now, the longest waiting first.
// params: tenant, audience, now, page
// columns: job_id
// access: read
MATCH (j:Job)
WHERE j.state = 'open' AND j.tenant = $tenant AND j.run_at <= $now AND j.created_at >= 0
  AND j.audience = $audience
RETURN j.job_id AS job_id
ORDER BY j.state, j.tenant, j.run_at, j.created_at LIMIT $page
