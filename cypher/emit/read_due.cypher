// Read some open windows of a tenant that are due to close.
// params: tenant, now, page
// columns: emit_id, answer_id
// access: read
MATCH (e:Emit)
WHERE e.state = 'open' AND e.tenant = $tenant AND e.due_at <= $now
RETURN e.emit_id AS emit_id, e.answer_id AS answer_id
ORDER BY e.state, e.tenant, e.due_at LIMIT $page
