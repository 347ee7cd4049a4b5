// Lock answers by id, and read the open window of each with the version last reported and the newest.
// params: tenant, windows, token
// columns: answer_id, emit_id, reported_status, reported_severity, reported_claims_json, status, severity, claims_json, seq, emit_number, suppressed_run, first_check
// access: write
UNWIND $windows AS w
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: w.answer_id})
SET a.locked_by = $token
WITH a, w
MATCH (e:Emit {tenant: $tenant, emit_id: w.emit_id})
WHERE e.state = 'open'
MATCH (v:AnswerVersion {tenant: $tenant, answer_id: w.answer_id, seq: a.emitted_seq})
RETURN a.answer_id AS answer_id, e.emit_id AS emit_id, v.status AS reported_status,
       v.severity AS reported_severity, v.claims_json AS reported_claims_json, a.status AS status,
       a.severity AS severity, a.claims_json AS claims_json, a.seq AS seq,
       a.emit_number AS emit_number, a.suppressed_run AS suppressed_run, e.first_check AS first_check
