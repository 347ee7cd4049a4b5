// Changes without gap
// Each raise of a source's `tiles_seq` or a clarification's `seq` left exactly one change, numbered
// from 1, tied to what it changed; each raise of a clarification also left a state, of which the
// newest is how it stands.
// invariant: yes
:param tenant => 'default';
CALL () {
  MATCH (t:Source)
  WHERE t.tenant = $tenant AND t.source_id > ''
  RETURN t, t.source_key AS key, t.tiles_seq AS seq, [] AS problems
  UNION ALL
  MATCH (t:Clarification)
  WHERE t.tenant = $tenant AND t.clarification_id > ''
  CALL (t) {
    OPTIONAL MATCH (t)-[:STATE]->(s:ClarificationState)
    WITH s ORDER BY s.seq
    RETURN collect(s) AS states
  }
  RETURN t, t.target_key AS key, t.seq AS seq,
         CASE WHEN [s IN states | s.seq] = range(1, t.seq) THEN []
              ELSE ['its states are not numbered from 1 to ' + t.seq] END
         + CASE WHEN states[-1].state = t.state AND coalesce(states[-1].bound_tx, -1) = coalesce(t.bound_tx, -1)
                THEN [] ELSE ['its newest state is not how it stands'] END AS problems
}
CALL (t, key) {
  OPTIONAL MATCH (c:Change)
  WHERE c.target_key = key AND c.seq >= 0
  RETURN count(c) AS changes, min(c.seq) AS least, max(c.seq) AS greatest,
         count(CASE WHEN NOT EXISTS { (c)-[:CHANGED]->(t) } THEN 1 END) AS untied
}
WITH t, seq, problems
     + CASE WHEN changes = seq AND coalesce(least, 1) = 1 AND coalesce(greatest, 0) = seq THEN []
            ELSE [changes + ' changes from ' + coalesce(least, 0) + ' to ' + coalesce(greatest, 0)] END
     + CASE untied WHEN 0 THEN [] ELSE [untied + ' changes are not tied to it'] END AS problems
WHERE problems <> []
RETURN coalesce(t.clarification_id, t.source_id) AS target, labels(t)[0] AS kind, seq, problems,
       COLLECT { MATCH path = (t)<-[:CHANGED]-(:Change) RETURN path } AS paths
ORDER BY kind, target;
