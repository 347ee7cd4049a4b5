// Read the tiles that overlap a span of each of some sources, left to right: one row a source, each
// tile as [valid_from, valid_to, winner, since], since rows by the thousand cost more than reading them.
// params: spans
// columns: source_key, tiles
// access: read
UNWIND $spans AS r
CALL (r) {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = r.source_key AND w.valid_from <= r.lo
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > r.lo
  RETURN w, v
  UNION ALL
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = r.source_key AND w.valid_from > r.lo AND w.valid_from < r.hi
  RETURN w, v
}
WITH w, v ORDER BY w.source_key, w.valid_from
RETURN w.source_key AS source_key, collect([w.valid_from, w.valid_to, v.tx, w.tx_from]) AS tiles
