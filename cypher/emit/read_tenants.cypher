// Read which tenants have windows that are due to close.
// params: now
// columns: tenant
// access: read
// tenant: all — the relay serves every tenant, one at a time
MATCH (e:Emit)
WHERE e.state = 'open' AND e.tenant > '' AND e.due_at <= $now
RETURN DISTINCT e.tenant AS tenant
