// Make the chains of new sources, whose versions come in tx order: each links to the one before it.
// params: rows
// columns: none
// access: write
UNWIND $rows AS r
CALL (r) {
  UNWIND r.txs AS tx
  MATCH (v:SourceVersion {source_key: r.source_key, tx: tx})
  RETURN collect(v) AS versions
}
UNWIND range(1, size(versions) - 1) AS n
WITH versions[n] AS newer, versions[n - 1] AS older
CREATE (newer)-[:PREVIOUS]->(older)
