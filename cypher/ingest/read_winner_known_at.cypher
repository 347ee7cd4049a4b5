// Read who won at an instant, as it was recorded by another; no row where nobody did.
// params: source_key, at, known_at
// columns: tx, valid_from
// access: read
CALL () {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = $source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at AND w.tx_from <= $known_at
  RETURN v
  UNION ALL
  MATCH (:Source)-[w:WON]->(v:SourceVersion)
  WHERE w.source_key = $source_key AND w.tx_from <= $known_at
    AND w.tx_to > $known_at AND w.valid_from <= $at AND w.valid_to > $at
  WITH w, v ORDER BY w.source_key DESC, w.tx_from DESC LIMIT 1
  RETURN v
}
RETURN v.tx AS tx, v.valid_from AS valid_from
