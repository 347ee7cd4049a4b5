// Write a cut: trim and drop tiles, keep what stopped winning, create what wins now. What was won and
// what wins comes by version, each of its tiles as [valid_from, valid_to, tx_from, tx_to]. Dropped
// tiles leave the index first and go last: a transaction that deleted n relationships compares each
// new key with all n of them.
// params: trims, drops, won, wins
// columns: none
// access: write
CALL () {
  UNWIND $trims AS r
  MATCH ()-[w:WINS]->()
  WHERE w.source_key = r.source_key AND w.valid_from = r.valid_from
  SET w.valid_to = r.valid_to
  RETURN count(*) AS trimmed
}
CALL () {
  UNWIND $drops AS r
  MATCH ()-[w:WINS]->()
  WHERE w.source_key = r.source_key AND w.valid_from = r.valid_from
  SET w.source_key = null
  RETURN collect(w) AS dropped
}
CALL () {
  UNWIND $won AS r
  MATCH (s:Source {source_key: r.source_key})
  MATCH (v:SourceVersion {source_key: r.source_key, tx: r.winner})
  UNWIND r.tiles AS t
  CREATE (s)-[:WON {source_key: r.source_key, valid_from: t[0], valid_to: t[1], tx_from: t[2],
                    tx_to: t[3]}]->(v)
  RETURN count(*) AS kept
}
CALL () {
  UNWIND $wins AS r
  MATCH (s:Source {source_key: r.source_key})
  MATCH (v:SourceVersion {source_key: r.source_key, tx: r.winner})
  UNWIND r.tiles AS t
  CREATE (s)-[:WINS {source_key: r.source_key, valid_from: t[0], valid_to: t[1], tx_from: t[2]}]->(v)
  RETURN count(*) AS created
}
FOREACH (w IN dropped | DELETE w)
