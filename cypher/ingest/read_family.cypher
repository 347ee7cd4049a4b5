// Read the versions that corrections tie to the given ones: two steps up, then two down again.
// params: source_key, txs
// columns: source_key, tx, valid_from, valid_to, valid_from_rule, text_sha256, corrects_tx, override_only, competes, observed_at, observed_from, removal
// access: read
UNWIND $txs AS tx
MATCH (given:SourceVersion {source_key: $source_key, tx: tx})
MATCH (given)-[:CORRECTS*0..2]->(above:SourceVersion)
MATCH (above)<-[:CORRECTS*0..2]-(v:SourceVersion)
WITH DISTINCT v
RETURN v.source_key AS source_key, v.tx AS tx, v.valid_from AS valid_from, v.valid_to AS valid_to,
       v.valid_from_rule AS valid_from_rule, v.text_sha256 AS text_sha256,
       v.corrects_tx AS corrects_tx, v.override_only AS override_only, v.competes AS competes,
       v.observed_at AS observed_at, v.observed_from AS observed_from, v.removal AS removal
