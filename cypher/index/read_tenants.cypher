// Read which tenants have sources that wait to be indexed.
// params: none
// columns: tenant
// access: read
// tenant: all — the relay serves every tenant, one at a time
MATCH (s:Source)
WHERE s.tenant > '' AND s.unindexed_since >= 0
RETURN DISTINCT s.tenant AS tenant
