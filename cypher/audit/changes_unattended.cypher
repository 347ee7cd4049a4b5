// Changes that nobody attends to
// A live answer whose last check had not read the newest change of something it watches, although
// no change of it is open and no job for the answer is open or parked: the change was lost.
// invariant: yes
:param tenant => 'default';
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.answer_id > '' AND a.deleted_at IS NULL AND a.status <> 'superseded'
MATCH watch = (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
WHERE a.checked_seqs IS NULL OR a.checked_seqs[x.idx] < coalesce(t.tiles_seq, t.seq)
WITH a, t, watch, coalesce(a.checked_seqs[x.idx], 0) AS covered,
     coalesce(t.target_key, t.source_key) AS key
WHERE NOT EXISTS { MATCH (c:Change) WHERE c.target_key = key AND c.seq > covered AND c.state = 'open' }
  AND NOT EXISTS { MATCH (j:Job)
                   WHERE j.state IN ['open', 'parked'] AND j.tenant = $tenant AND j.run_at >= 0
                     AND j.created_at >= 0 AND a.answer_id IN j.ids }
RETURN a.answer_id AS answer_id, coalesce(t.clarification_id, t.source_id) AS target, covered,
       coalesce(t.tiles_seq, t.seq) AS newest, a.checked_at AS checked_at, watch
ORDER BY answer_id, target;
