// Read some open changes of a tenant, the oldest first.
// params: tenant, page
// columns: change_id
// access: read
MATCH (c:Change)
WHERE c.state = 'open' AND c.tenant = $tenant AND c.recorded_at >= 0
RETURN c.change_id AS change_id
ORDER BY c.state, c.tenant, c.recorded_at LIMIT $page
