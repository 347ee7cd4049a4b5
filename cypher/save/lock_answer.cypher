// Lock an answer and read what deciding about it needs; no row where there is none.
// params: tenant, answer_id, token
// columns: trace_id, seq, status, severity, claims_json, caveats, deleted_at, emitted_seq, emit_number, changed_at
// access: write
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
SET a.locked_by = $token
WITH a
RETURN a.trace_id AS trace_id, a.seq AS seq, a.status AS status, a.severity AS severity,
       a.claims_json AS claims_json, a.caveats AS caveats, a.deleted_at AS deleted_at,
       a.emitted_seq AS emitted_seq, a.emit_number AS emit_number,
       a.changed_at AS changed_at
