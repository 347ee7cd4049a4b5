// Write a cut: trim and drop tiles, keep what stopped winning, create what wins now.
// params: trims, drops, won, wins
// columns: none
// access: write
CALL () {
  UNWIND $trims AS r
  MATCH (:Source)-[w:WINS]->(:SourceVersion)
  WHERE w.source_key = r.source_key AND w.valid_from = r.valid_from
  SET w.valid_to = r.valid_to
  RETURN count(*) AS trimmed
}
CALL () {
  UNWIND $drops AS r
  MATCH (:Source)-[w:WINS]->(:SourceVersion)
  WHERE w.source_key = r.source_key AND w.valid_from = r.valid_from
  DELETE w
  RETURN count(*) AS dropped
}
CALL () {
  UNWIND $won AS r
  MATCH (s:Source {source_key: r.source_key})
  MATCH (v:SourceVersion {source_key: r.source_key, tx: r.winner})
  CREATE (s)-[:WON {source_key: r.source_key, valid_from: r.valid_from, valid_to: r.valid_to,
                    tx_from: r.tx_from, tx_to: r.tx_to}]->(v)
  RETURN count(*) AS kept
}
CALL () {
  UNWIND $wins AS r
  MATCH (s:Source {source_key: r.source_key})
  MATCH (v:SourceVersion {source_key: r.source_key, tx: r.winner})
  CREATE (s)-[:WINS {source_key: r.source_key, valid_from: r.valid_from, valid_to: r.valid_to,
                     tx_from: r.since}]->(v)
  RETURN count(*) AS created
}
FINISH
