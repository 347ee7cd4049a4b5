// Give back the lease of a tenant's index.
// params: tenant, token
// columns: none
// access: write
MATCH (x:ChunkIndex {tenant: $tenant})
SET x.locked_by = $token
WITH x
WHERE x.lease_token = $token
SET x.leased_until = 0
