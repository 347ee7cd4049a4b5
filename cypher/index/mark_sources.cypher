// Let some sources of a tenant wait to be indexed, in the order of their ids, and tell the last of them.
// params: tenant, after, page
// columns: source_id
// access: write
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > $after
WITH s ORDER BY s.tenant, s.source_id LIMIT $page
SET s.unindexed_since = coalesce(s.unindexed_since, s.last_recorded_at)
RETURN max(s.source_id) AS source_id
