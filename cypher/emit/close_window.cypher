// Close the open window of a locked answer: its one event leaves, or it is suppressed.
// params: tenant, answer_id, emit_id, state, closed_at, number, from_status, to_status, changed_claims, severity, direction, flapping, emitted_seq, suppressed_run
// columns: none
// access: write
MATCH (e:Emit {tenant: $tenant, emit_id: $emit_id})-[:ABOUT]->(a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
SET e.state = $state, e.open_for = null, e.closed_at = $closed_at, e.number = $number,
    e.from_status = $from_status, e.to_status = $to_status, e.changed_claims = $changed_claims,
    e.severity = $severity, e.direction = $direction, e.flapping = $flapping,
    a.emit_number = coalesce($number, a.emit_number),
    a.emitted_seq = coalesce($emitted_seq, a.emitted_seq),
    a.suppressed_run = $suppressed_run
