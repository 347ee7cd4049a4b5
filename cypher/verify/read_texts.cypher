// Read the texts of some versions.
// params: coordinates
// columns: source_id, tx, text
// access: read
UNWIND $coordinates AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
RETURN v.source_id AS source_id, v.tx AS tx, v.text AS text
