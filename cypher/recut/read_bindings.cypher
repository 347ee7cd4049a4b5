// Read the active overrides over a span of each of some sources whose version is not tombstoned.
// params: spans
// columns: source_key, tx, bound_tx, valid_from, valid_to
// access: read
UNWIND $spans AS r
MATCH (o:Override)-[:BINDS]->(v:SourceVersion)
WHERE o.source_key = r.source_key AND o.valid_from < r.hi AND o.valid_to > r.lo
  AND o.released_at IS NULL AND v.removal IS NULL
RETURN o.source_key AS source_key, o.tx AS tx, o.bound_tx AS bound_tx, o.valid_from AS valid_from, o.valid_to AS valid_to
