// Versions that never won
// Which versions were never recorded as the winner at any instant, why, and what wins where they
// start? Ends, which cannot win, are left out.
:param tenant => 'default';
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
MATCH version = (s)<-[:VERSION_OF]-(v:SourceVersion)
WHERE NOT v.ends AND NOT EXISTS { (v)<-[:WINS|WON]-(:Source) }
CALL (v) {
  OPTIONAL MATCH tile = (:Source)-[w:WINS]->(n:SourceVersion)
  WHERE w.source_key = v.source_key AND w.valid_from <= v.valid_from
  WITH tile, w, n ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  RETURN CASE WHEN w.valid_to > v.valid_from THEN n END AS winner,
         CASE WHEN w.valid_to > v.valid_from THEN tile END AS tile
}
RETURN s.source_id AS source_id, v.tx AS tx, v.valid_from AS valid_from,
       nullIf(v.valid_to, 9223372036854775807) AS valid_to, v.valid_from_rule AS valid_from_rule,
       v.recorded_at AS recorded_at,
       CASE WHEN v.removal IS NOT NULL THEN v.removal
            WHEN v.override_only THEN 'its override never won'
            WHEN NOT v.competes THEN 'corrected'
            ELSE 'outranked' END AS why,
       winner.tx AS winning_tx, version, tile
ORDER BY source_id, tx;
