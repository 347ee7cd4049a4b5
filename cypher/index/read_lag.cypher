// Read how many sources of a tenant wait to be indexed, since when, and by what its chunks are made.
// params: tenant
// columns: sources, since, made_by, failures, paused_until
// access: read
CALL () {
  MATCH (s:Source) WHERE s.tenant = $tenant AND s.unindexed_since >= 0
  RETURN count(s) AS sources, min(s.unindexed_since) AS since
}
OPTIONAL MATCH (x:ChunkIndex {tenant: $tenant})
RETURN sources, since, x.made_by AS made_by, coalesce(x.failures, 0) AS failures,
       x.paused_until AS paused_until
