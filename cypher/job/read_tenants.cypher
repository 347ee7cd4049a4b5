// Read which tenants have jobs to run now.
// params: now
// columns: tenant
// access: read
// tenant: all — the relay serves every tenant, one at a time
MATCH (j:Job)
WHERE j.state = 'open' AND j.tenant > '' AND j.run_at <= $now AND j.created_at >= 0
RETURN DISTINCT j.tenant AS tenant
