// Put new versions into the chains of their sources in tx order. Versions of one write share
// `recorded_at`: among them each links to the older one alone.
// params: rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
CALL (v) {
  MATCH (older:SourceVersion)
  WHERE older.source_key = v.source_key AND older.tx < v.tx
  WITH v, older ORDER BY older.source_key DESC, older.tx DESC LIMIT 1
  CREATE (v)-[:PREVIOUS]->(older)
}
CALL (v) {
  MATCH (newer:SourceVersion)
  WHERE newer.source_key = v.source_key AND newer.tx > v.tx
  WITH v, newer ORDER BY newer.source_key, newer.tx LIMIT 1
  WHERE newer.recorded_at <> v.recorded_at
  OPTIONAL MATCH (newer)-[was:PREVIOUS]->(:SourceVersion)
  DELETE was
  CREATE (newer)-[:PREVIOUS]->(v)
}
