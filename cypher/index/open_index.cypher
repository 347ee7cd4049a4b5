// Open a tenant's index, created where it is new, and read by what its chunks were made.
// params: tenant, token
// columns: made_by, failures, paused_until
// access: write
MERGE (x:ChunkIndex {tenant: $tenant})
  ON CREATE SET x.failures = 0, x.paused_until = 0
SET x.locked_by = $token
WITH x
RETURN x.made_by AS made_by, x.failures AS failures, x.paused_until AS paused_until
