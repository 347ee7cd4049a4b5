// Read who won at an instant, as it was recorded by another; no row where nobody did. At most one of
// the tiles that stand and those that used to win gives it, and the first that does ends the search:
// in a history in order one of the last that were recorded by then, else one that starts little before.
// params: source_key, at, known_at
// columns: tx, valid_from
// access: read
CALL () {
  MATCH ()-[w:WINS]->(v)
  WHERE w.source_key = $source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at AND w.tx_from <= $known_at
  RETURN v
  UNION ALL
  MATCH ()-[w:WON]->(v)
  USING INDEX w:WON(source_key, tx_from, tx_to, valid_from, valid_to)
  WHERE w.source_key = $source_key AND w.tx_from <= $known_at AND w.tx_to >= 0
    AND w.valid_from >= 0 AND w.valid_to >= 0
  WITH w, v ORDER BY w.source_key DESC, w.tx_from DESC LIMIT 3
  WHERE w.tx_to > $known_at AND w.valid_from <= $at AND w.valid_to > $at
  RETURN v
  UNION ALL
  MATCH ()-[w:WON]->(v)
  USING INDEX w:WON(source_key, valid_from, tx_from, tx_to, valid_to)
  WHERE w.source_key = $source_key AND w.valid_from <= $at AND w.tx_from <= $known_at
    AND w.tx_to > $known_at AND w.valid_to > $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  RETURN v
}
WITH v LIMIT 1
RETURN v.tx AS tx, v.valid_from AS valid_from
