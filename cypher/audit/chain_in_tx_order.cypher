// Chain in tx order
// The versions of a source form one chain: each but the oldest is PREVIOUS to exactly the next one
// below it in tx order, so there is no branch and no hole. No tx is above the source's `last_tx`.
// invariant: yes
:param tenant => 'default';
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
MATCH (s)<-[:VERSION_OF]-(v:SourceVersion)
CALL (v) {
  OPTIONAL MATCH (below:SourceVersion)
  WHERE below.source_key = v.source_key AND below.tx < v.tx
  RETURN below.tx AS below_tx ORDER BY below.source_key DESC, below.tx DESC LIMIT 1
}
WITH s, v, below_tx,
     COLLECT { MATCH (v)-[:PREVIOUS]->(p) RETURN CASE WHEN p.source_key = v.source_key THEN p.tx ELSE -1 END } AS previous
WHERE previous <> CASE WHEN below_tx IS NULL THEN [] ELSE [below_tx] END
   OR v.source_key <> s.source_key OR v.tx > s.last_tx OR v.observed_at > s.last_tx
RETURN s.source_id AS source_id, v.tx AS tx, previous, below_tx, s.last_tx AS last_tx,
       COLLECT { MATCH link = (v)-[:PREVIOUS]-() RETURN link } AS links
ORDER BY source_id, tx;
