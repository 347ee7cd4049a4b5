// Read the tiles that overlap a span, left to right.
// params: source_key, lo, hi
// columns: valid_from, valid_to, winner, since
// access: read
CALL () {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = $source_key AND w.valid_from <= $lo
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $lo
  RETURN w, v
  UNION ALL
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = $source_key AND w.valid_from > $lo AND w.valid_from < $hi
  RETURN w, v
}
RETURN w.valid_from AS valid_from, w.valid_to AS valid_to, v.tx AS winner, w.tx_from AS since
ORDER BY valid_from
