// Read the active overrides that bind one version.
// params: source_key, bound_tx
// columns: source_key, tx, bound_tx, valid_from, valid_to
// access: read
MATCH (v:SourceVersion {source_key: $source_key, tx: $bound_tx})<-[:BINDS]-(o:Override)
WHERE o.released_at IS NULL
RETURN o.source_key AS source_key, o.tx AS tx, o.bound_tx AS bound_tx, o.valid_from AS valid_from, o.valid_to AS valid_to
