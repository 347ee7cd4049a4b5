// Tie versions to their chunks, each created where its source holds no such text. A text that the tenant
// has embedded already takes its vector from there.
// params: tenant, chunks, embedded_by
// columns: none
// access: write
UNWIND $chunks AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
MERGE (c:Chunk {source_key: r.source_key, text_sha256: r.text_sha256})
  ON CREATE SET c.tenant = $tenant, c.text = r.text, c.scope_key = r.scope_key
CREATE (v)-[:HOLDS {start: r.start, end: r.end}]->(c)
WITH r, c
WHERE coalesce(c.embedded_by, '') <> $embedded_by
CALL (r) {
  OPTIONAL MATCH (known:Chunk)
  WHERE known.tenant = $tenant AND known.text_sha256 = r.text_sha256
    AND known.embedded_by = $embedded_by AND r.embedding IS NULL
  RETURN known LIMIT 1
}
WITH c, coalesce(r.embedding, known.embedding) AS embedding, coalesce(r.vector, known.vector) AS vector
WHERE embedding IS NOT NULL
SET c.embedding = embedding, c.vector = vector, c.embedded_by = $embedded_by
