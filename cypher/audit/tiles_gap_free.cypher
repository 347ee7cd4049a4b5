// Tiles are gap-free
// For each source, wherever a candidate, an active override or a tile starts or ends: the tile's
// winner is the winner by definition. That is the active override with the greatest tx whose version
// is not tombstoned, else the greatest candidate by (valid_from, tx), and nobody where that one is
// an end or was removed for retention or erasure. Tiles never overlap.
// invariant: yes
:param tenant => 'default';
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
CALL (s) {
  CALL (s) {
    MATCH (s)<-[:VERSION_OF]-(v:SourceVersion) WHERE v.competes
    UNWIND [v.valid_from, v.valid_to] AS point
    RETURN point
    UNION
    MATCH (s)<-[:OVERRIDES]-(o:Override) WHERE o.released_at IS NULL
    UNWIND [o.valid_from, o.valid_to] AS point
    RETURN point
    UNION
    MATCH (s)-[w:WINS]->(:SourceVersion)
    UNWIND [w.valid_from, w.valid_to] AS point
    RETURN point
  }
  WITH point WHERE point < 9223372036854775807
  CALL (s, point) {
    OPTIONAL MATCH (o:Override)-[:BINDS]->(v:SourceVersion)
    WHERE o.source_key = s.source_key AND o.valid_from <= point AND o.valid_to > point
      AND o.released_at IS NULL AND v.removal IS NULL
    RETURN v AS bound ORDER BY o.tx DESC LIMIT 1
  }
  CALL (s, point) {
    OPTIONAL MATCH (v:SourceVersion)
    USING INDEX v:SourceVersion(source_key, valid_from, tx)
    WHERE v.source_key = s.source_key AND v.valid_from <= point AND v.tx >= 0
      AND v.competes AND v.valid_to > point
    RETURN v AS best ORDER BY v.source_key DESC, v.valid_from DESC, v.tx DESC LIMIT 1
  }
  CALL (s, point) {
    OPTIONAL MATCH tile = (:Source)-[w:WINS]->(v:SourceVersion)
    WHERE w.source_key = s.source_key AND w.valid_from <= point
    WITH tile, w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
    RETURN CASE WHEN w.valid_to > point THEN v END AS winner,
           CASE WHEN w.valid_to > point THEN tile END AS tile
  }
  WITH point, winner, tile,
       CASE WHEN bound IS NOT NULL THEN bound
            WHEN best.ends OR best.removal IS NOT NULL THEN null
            ELSE best END AS rightful
  WHERE coalesce(winner.tx, -1) <> coalesce(rightful.tx, -1)
     OR coalesce(winner.source_key <> s.source_key, false)
  RETURN point, 'not the winner by definition' AS problem, winner.tx AS tile_tx,
         rightful.tx AS rightful_tx, tile AS path
  UNION ALL
  MATCH tile = (s)-[w:WINS]->(v:SourceVersion)
  CALL (w) {
    OPTIONAL MATCH (:Source)-[n:WINS]->(:SourceVersion)
    WHERE n.source_key = w.source_key AND n.valid_from > w.valid_from
    RETURN n.valid_from AS next ORDER BY n.source_key, n.valid_from LIMIT 1
  }
  WITH tile, w, v, next
  WHERE w.valid_from >= w.valid_to OR w.source_key <> s.source_key OR next < w.valid_to
  RETURN w.valid_from AS point,
         CASE WHEN next < w.valid_to THEN 'overlaps the next tile'
              WHEN w.valid_from >= w.valid_to THEN 'empty window'
              ELSE 'carries the key of another source' END AS problem,
         v.tx AS tile_tx, null AS rightful_tx, tile AS path
}
RETURN s.source_id AS source_id, point, problem, tile_tx, rightful_tx, path
ORDER BY source_id, point;
