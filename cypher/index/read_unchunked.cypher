// Read some versions of some sources that win somewhere and whose chunks were not made as they are now.
// params: source_keys, made_by, page
// columns: source_key, source_id, tx, text
// access: read
UNWIND $source_keys AS key
MATCH (s:Source {source_key: key})-[:WINS]->(v:SourceVersion)
WHERE NOT coalesce(v.chunked_by, '') IN $made_by AND v.text IS NOT NULL
WITH DISTINCT v ORDER BY v.source_key, v.tx LIMIT $page
RETURN v.source_key AS source_key, v.source_id AS source_id, v.tx AS tx, v.text AS text
