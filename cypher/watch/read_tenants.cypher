// Read all tenants that ever saved an answer.
// params: none
// columns: tenant
// access: read
// tenant: all — the sweep serves every tenant, one at a time
MATCH (n:Tenant)
RETURN n.tenant AS tenant
ORDER BY tenant
