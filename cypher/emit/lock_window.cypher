// Lock an answer, and read its open window with the version last reported and the newest.
// params: tenant, answer_id, emit_id, token
// columns: reported_status, reported_severity, reported_claims_json, status, severity, claims_json, seq, emit_number, suppressed_run, first_check
// access: write
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
SET a.locked_by = $token
WITH a
MATCH (e:Emit {tenant: $tenant, emit_id: $emit_id})
WHERE e.state = 'open'
MATCH (v:AnswerVersion {tenant: $tenant, answer_id: $answer_id, seq: a.emitted_seq})
RETURN v.status AS reported_status, v.severity AS reported_severity,
       v.claims_json AS reported_claims_json, a.status AS status, a.severity AS severity,
       a.claims_json AS claims_json, a.seq AS seq, a.emit_number AS emit_number,
       a.suppressed_run AS suppressed_run, e.first_check AS first_check
