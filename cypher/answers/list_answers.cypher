// List live answers of a tenant by id, as they stand.
// params: tenant, status, after, page
// columns: answer_id, title, status, severity, claims_json, saved_at, checked_at, expires_at
// access: read
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.answer_id > $after AND a.deleted_at IS NULL
  AND ($status IS NULL OR a.status = $status)
RETURN a.answer_id AS answer_id, a.title AS title, a.status AS status, a.severity AS severity,
       a.claims_json AS claims_json, a.saved_at AS saved_at, a.checked_at AS checked_at,
       a.expires_at AS expires_at
ORDER BY a.tenant, a.answer_id LIMIT $page
