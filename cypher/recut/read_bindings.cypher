// Read the active overrides over a span whose version is not tombstoned.
// params: source_key, lo, hi
// columns: tx, bound_tx, valid_from, valid_to
// access: read
MATCH (o:Override)-[:BINDS]->(v:SourceVersion)
WHERE o.source_key = $source_key AND o.valid_from < $hi AND o.valid_to > $lo
  AND o.released_at IS NULL AND v.removal IS NULL
RETURN o.tx AS tx, o.bound_tx AS bound_tx, o.valid_from AS valid_from, o.valid_to AS valid_to
