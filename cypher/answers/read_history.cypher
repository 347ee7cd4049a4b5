// Read the versions of an answer up to an instant, the oldest first.
// params: tenant, answer_id, at
// columns: seq, status, severity, recorded_at, why, emit_id
// access: read
MATCH (v:AnswerVersion)
WHERE v.tenant = $tenant AND v.answer_id = $answer_id AND v.seq >= 1 AND v.recorded_at <= $at
RETURN v.seq AS seq, v.status AS status, v.severity AS severity, v.recorded_at AS recorded_at,
       v.why AS why, v.emit_id AS emit_id
ORDER BY seq
