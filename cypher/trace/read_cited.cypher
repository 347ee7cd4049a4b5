// Read the versions that coordinates name, with their texts.
// params: coordinates
// columns: source_id, tx, text, ends
// access: read
UNWIND $coordinates AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
RETURN v.source_id AS source_id, v.tx AS tx, v.text AS text, v.ends AS ends
