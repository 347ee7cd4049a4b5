// Write one fire for each change that a check of locked answers newly covers; `change_state` says
// whether the change had been followed by then.
// params: tenant, rows, recorded_at
// columns: none
// access: write
UNWIND $rows AS r
MATCH (:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})<-[:FOR]-(w:Watch)-[x:WATCHES]->(t)
WITH r, w, x, coalesce(t.target_key, t.source_key) AS key
WHERE r.seqs[x.idx] > r.covered[x.idx]
MATCH (c:Change)
WHERE c.target_key = key AND c.seq > r.covered[x.idx] AND c.seq <= r.seqs[x.idx]
MERGE (f:WatchFire {tenant: $tenant, fire_id: c.change_id + '/' + r.answer_id})
  ON CREATE SET f.recorded_at = $recorded_at, f.change_state = c.state
MERGE (f)-[:OF]->(w)
MERGE (f)-[:BECAUSE]->(c)
