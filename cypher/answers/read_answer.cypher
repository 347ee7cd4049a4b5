// Read an answer and the version of it that stood at an instant; no row where none did yet.
// params: tenant, answer_id, at
// columns: answer_id, trace_id, title, question, draft, created_by_person, created_by_key, time_basis_json, saved_at, deleted_at, checked_at, recheck_due_at, expires_at, checked_through, superseded_by, seq, newest_seq, status, severity, claims_json, caveats
// access: read
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
MATCH (v:AnswerVersion)
WHERE v.tenant = $tenant AND v.answer_id = $answer_id AND v.seq >= 1 AND v.recorded_at <= $at
WITH a, v ORDER BY v.seq DESC LIMIT 1
OPTIONAL MATCH (newer:SAVED_ANSWER)-[:SUPERSEDES]->(a)
RETURN a.answer_id AS answer_id, a.trace_id AS trace_id, a.title AS title, a.question AS question,
       a.draft AS draft, a.created_by_person AS created_by_person,
       a.created_by_key AS created_by_key, a.time_basis_json AS time_basis_json,
       a.saved_at AS saved_at, v.deleted_at AS deleted_at, a.checked_at AS checked_at,
       a.recheck_due_at AS recheck_due_at, a.expires_at AS expires_at,
       a.checked_through AS checked_through, newer.answer_id AS superseded_by, v.seq AS seq,
       a.seq AS newest_seq, v.status AS status, v.severity AS severity,
       v.claims_json AS claims_json, v.caveats AS caveats
