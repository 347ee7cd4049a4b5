// Rank all chunks that winning versions of a tenant hold by nearness to a vector, exactly; the nearest first.
// params: tenant, vector, embedded_by, most, at
// columns: places
// access: read
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
CALL (s) {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = s.source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at
  RETURN v
}
MATCH (v)-[h:HOLDS]->(c:Chunk)
WHERE c.embedded_by = $embedded_by
WITH v, h, vector.similarity.cosine(c.embedding, $vector) AS score
WITH v, h, score ORDER BY score DESC, v.source_id, v.tx, h.start LIMIT $most
RETURN collect([v.source_id, v.tx, h.start, h.end]) AS places
