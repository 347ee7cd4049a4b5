// Read some sources of a tenant that wait to be indexed, the longest waiting first.
// params: tenant, page
// columns: source_key, tiles_seq
// access: read
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.unindexed_since >= 0
WITH s ORDER BY s.tenant, s.unindexed_since, s.source_key LIMIT $page
RETURN s.source_key AS source_key, s.tiles_seq AS tiles_seq
