// Lock an answer that is to be refreshed, and read how it stands: its refreshes so far, the open one,
// and the newest answer of its chain. No row where there is none.
// params: tenant, answer_id, token
// columns: status, deleted_at, changed_at, refreshes, open_id, head_id, head_deleted_at
// access: write
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
SET a.locked_by = $token
WITH a
OPTIONAL MATCH (open:Refresh {tenant: $tenant, open_for: $answer_id})
OPTIONAL MATCH (head:SAVED_ANSWER)-[:SUPERSEDES*0..]->(a)
WHERE NOT EXISTS { (:SAVED_ANSWER)-[:SUPERSEDES]->(head) }
RETURN a.status AS status, a.deleted_at AS deleted_at, a.changed_at AS changed_at,
       COUNT { (:Refresh)-[:OF]->(a) } AS refreshes, open.new_answer_id AS open_id, head.answer_id AS head_id,
       head.deleted_at AS head_deleted_at
