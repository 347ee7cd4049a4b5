// Read who won at an instant, as it was recorded by another; no row where nobody did. What used to
// win is searched only where no tile that stands was recorded by then.
// params: source_key, at, known_at
// columns: tx, valid_from
// access: read
OPTIONAL CALL () {
  MATCH ()-[w:WINS]->(v)
  WHERE w.source_key = $source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at AND w.tx_from <= $known_at
  RETURN v AS standing
}
CALL (standing) {
  WITH standing WHERE standing IS NULL
  MATCH ()-[w:WON]->(v)
  WHERE w.source_key = $source_key AND w.tx_from <= $known_at
    AND w.tx_to > $known_at AND w.valid_from <= $at AND w.valid_to > $at
  WITH w, v ORDER BY w.source_key DESC, w.tx_from DESC LIMIT 1
  RETURN v
  UNION ALL
  WITH standing WHERE standing IS NOT NULL
  RETURN standing AS v
}
RETURN v.tx AS tx, v.valid_from AS valid_from
