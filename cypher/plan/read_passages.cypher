// Read the texts of chunks by the coordinates of the version that holds each.
// params: places
// columns: source_id, tx, start, end, text
// access: read
UNWIND $places AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})-[h:HOLDS {start: r.start, end: r.end}]->(c:Chunk)
RETURN v.source_id AS source_id, v.tx AS tx, h.start AS start, h.end AS end, c.text AS text
