// List the events of a tenant that left, or of one answer, in the order in which they left.
// params: tenant, answer_id, page
// columns: event_id, answer_id, number, from_status, to_status, changed_claims, severity, direction, flapping, first_check, closed_at
// access: read
MATCH (e:Emit)
WHERE e.state = 'emitted' AND e.tenant = $tenant AND e.due_at >= 0
  AND ($answer_id IS NULL OR e.answer_id = $answer_id)
RETURN e.emit_id AS event_id, e.answer_id AS answer_id, e.number AS number,
       e.from_status AS from_status, e.to_status AS to_status, e.changed_claims AS changed_claims,
       e.severity AS severity, e.direction AS direction, e.flapping AS flapping,
       e.first_check AS first_check, e.closed_at AS closed_at
ORDER BY e.closed_at, e.answer_id, e.number LIMIT $page
