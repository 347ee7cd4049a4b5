// Note by what a tenant's chunks are made, and how its last run ended.
// params: tenant, made_by, failures, paused_until
// columns: none
// access: write
MATCH (x:ChunkIndex {tenant: $tenant})
SET x.made_by = $made_by, x.failures = $failures, x.paused_until = $paused_until
