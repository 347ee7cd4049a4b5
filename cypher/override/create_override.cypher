// Create an override of a locked source that binds one of its versions.
// params: source_key, override_id, tx, bound_tx, valid_from, valid_to, recorded_at, reason, created_by
// columns: none
// access: write
MATCH (s:Source {source_key: $source_key})
MATCH (v:SourceVersion {source_key: $source_key, tx: $bound_tx})
CREATE (o:Override {
  tenant: s.tenant, override_id: $override_id, source_key: s.source_key, tx: $tx,
  bound_tx: $bound_tx, valid_from: $valid_from, valid_to: $valid_to,
  recorded_at: $recorded_at, reason: $reason, created_by: $created_by
})
CREATE (o)-[:BINDS]->(v)
CREATE (o)-[:OVERRIDES]->(s)
