// Write one fire for each change that a check of locked answers newly covers; `change_state` says
// whether the change had been followed by then.
// params: tenant, rows, recorded_at
// columns: none
// access: write
UNWIND $rows AS r
MATCH (:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})<-[:FOR]-(w)-[x:WATCHES]->(t)
WITH r, w, r.covered[x.idx] AS covered, r.seqs[x.idx] AS seq, coalesce(t.target_key, t.source_key) AS key
WHERE seq > covered
MATCH (c:Change)
WHERE c.target_key = key AND c.seq > covered AND c.seq <= seq
CREATE (f:WatchFire {tenant: $tenant, fire_id: c.change_id + '/' + r.answer_id,
                     recorded_at: $recorded_at, change_state: c.state})
CREATE (f)-[:OF]->(w)
CREATE (f)-[:BECAUSE]->(c)
