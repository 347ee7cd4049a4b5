// Open a tenant's index, created where it is new, and lease it to whoever makes its chunks, unless another
// has it: two at once would embed the same texts twice. Opening it again renews the lease.
// params: tenant, token, now, until
// columns: made_by, failures, paused_until, mine
// access: write
MERGE (x:ChunkIndex {tenant: $tenant})
  ON CREATE SET x.failures = 0, x.paused_until = 0, x.leased_until = 0
SET x.locked_by = $token
WITH x
SET x.lease_token = CASE WHEN x.leased_until <= $now THEN $token ELSE x.lease_token END
SET x.leased_until = CASE WHEN x.lease_token = $token THEN $until ELSE x.leased_until END
RETURN x.made_by AS made_by, x.failures AS failures, x.paused_until AS paused_until,
       x.lease_token = $token AS mine
