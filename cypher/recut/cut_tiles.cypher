// Write a cut: trim and drop tiles, keep what stopped winning, create what wins now.
// params: source_key, trims, drops, won, wins
// columns: none
// access: write
MATCH (s:Source {source_key: $source_key})
CALL () {
  UNWIND $trims AS r
  MATCH (:Source)-[w:WINS]->(:SourceVersion)
  WHERE w.source_key = $source_key AND w.valid_from = r.valid_from
  SET w.valid_to = r.valid_to
  RETURN count(*) AS trimmed
}
CALL () {
  UNWIND $drops AS start
  MATCH (:Source)-[w:WINS]->(:SourceVersion)
  WHERE w.source_key = $source_key AND w.valid_from = start
  DELETE w
  RETURN count(*) AS dropped
}
CALL (s) {
  UNWIND $won AS r
  MATCH (v:SourceVersion {source_key: $source_key, tx: r.winner})
  CREATE (s)-[:WON {source_key: $source_key, valid_from: r.valid_from, valid_to: r.valid_to,
                    tx_from: r.tx_from, tx_to: r.tx_to}]->(v)
  RETURN count(*) AS kept
}
CALL (s) {
  UNWIND $wins AS r
  MATCH (v:SourceVersion {source_key: $source_key, tx: r.winner})
  CREATE (s)-[:WINS {source_key: $source_key, valid_from: r.valid_from, valid_to: r.valid_to,
                     tx_from: r.since}]->(v)
  RETURN count(*) AS created
}
FINISH
