// Close the open windows of locked answers: the one event of each leaves, or it is suppressed.
// params: tenant, rows, closed_at
// columns: none
// access: write
UNWIND $rows AS r
MATCH (e:Emit {tenant: $tenant, emit_id: r.emit_id})-[:ABOUT]->(a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})
SET e.state = r.state, e.open_for = null, e.closed_at = $closed_at, e.number = r.number,
    e.from_status = r.from_status, e.to_status = r.to_status, e.changed_claims = r.changed_claims,
    e.severity = r.severity, e.direction = r.direction, e.flapping = r.flapping,
    a.emit_number = coalesce(r.number, a.emit_number),
    a.emitted_seq = coalesce(r.emitted_seq, a.emitted_seq),
    a.suppressed_run = r.suppressed_run
