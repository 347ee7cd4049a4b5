// List the answers of a tenant that were live at an instant, by id, as they stood then.
// params: tenant, status, after, page, at
// columns: answer_id, title, status, severity, claims_json, saved_at, checked_at, expires_at
// access: read
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.answer_id > $after AND a.saved_at <= $at
  AND (a.deleted_at IS NULL OR a.deleted_at > $at)
CALL (a) {
  MATCH (v:AnswerVersion)
  WHERE v.tenant = a.tenant AND v.answer_id = a.answer_id AND v.seq >= 1 AND v.recorded_at <= $at
  RETURN v ORDER BY v.seq DESC LIMIT 1
}
WITH a, v WHERE $status IS NULL OR v.status = $status
RETURN a.answer_id AS answer_id, a.title AS title, v.status AS status, v.severity AS severity,
       v.claims_json AS claims_json, a.saved_at AS saved_at,
       CASE WHEN a.seq = v.seq THEN a.checked_at END AS checked_at,
       CASE WHEN a.seq = v.seq THEN a.expires_at END AS expires_at
ORDER BY a.tenant, a.answer_id LIMIT $page
