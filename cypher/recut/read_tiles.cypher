// Read the tiles that overlap a span of each of some sources, left to right.
// params: spans
// columns: source_key, valid_from, valid_to, winner, since
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
RETURN w.source_key AS source_key, w.valid_from AS valid_from, w.valid_to AS valid_to, v.tx AS winner, w.tx_from AS since
ORDER BY source_key, valid_from
