// Read which tenants have open changes.
// params: none
// columns: tenant
// access: read
// tenant: all — the relay serves every tenant, one at a time
MATCH (c:Change)
WHERE c.state = 'open' AND c.tenant > '' AND c.recorded_at >= 0
RETURN DISTINCT c.tenant AS tenant
