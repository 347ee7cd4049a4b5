// Tie corrections to what they correct.
// params: rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
MATCH (corrected:SourceVersion {source_key: r.source_key, tx: r.corrects_tx})
MERGE (v)-[:CORRECTS]->(corrected)
