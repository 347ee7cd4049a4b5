// Tell whether a version of a source can be chosen by a binding: it exists and is not an end.
// params: source_key, tx
// columns: ends, removal, valid_from, valid_to
// access: read
MATCH (v:SourceVersion {source_key: $source_key, tx: $tx})
RETURN v.ends AS ends, v.removal AS removal, v.valid_from AS valid_from, v.valid_to AS valid_to
