// Put new versions into the chain in tx order, and tie corrections to what they correct.
// params: source_key, txs
// columns: none
// access: write
UNWIND $txs AS tx
MATCH (v:SourceVersion {source_key: $source_key, tx: tx})
CALL (v) {
  OPTIONAL MATCH (p:SourceVersion)
  WHERE p.source_key = $source_key AND p.tx < v.tx
  WITH p ORDER BY p.source_key DESC, p.tx DESC LIMIT 1
  RETURN p AS older
}
CALL (v) {
  OPTIONAL MATCH (n:SourceVersion)
  WHERE n.source_key = $source_key AND n.tx > v.tx
  WITH n ORDER BY n.source_key, n.tx LIMIT 1
  RETURN n AS newer
}
OPTIONAL MATCH (newer)-[was:PREVIOUS]->(passed:SourceVersion)
WHERE passed.tx < v.tx
DELETE was
WITH v, older, newer
FOREACH (p IN CASE WHEN older IS NULL THEN [] ELSE [older] END | MERGE (v)-[:PREVIOUS]->(p))
FOREACH (n IN CASE WHEN newer IS NULL THEN [] ELSE [newer] END | MERGE (n)-[:PREVIOUS]->(v))
WITH v
MATCH (corrected:SourceVersion {source_key: $source_key, tx: v.corrects_tx})
MERGE (v)-[:CORRECTS]->(corrected)
