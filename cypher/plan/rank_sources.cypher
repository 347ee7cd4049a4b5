// Rank all chunks that the winning versions of some sources hold by nearness to a vector, exactly; the
// nearest first.
// params: source_keys, vector, embedded_by, most, at
// columns: places
// access: read
UNWIND $source_keys AS key
CALL (key) {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at
  RETURN v
}
MATCH (v)-[h:HOLDS]->(c:Chunk)
WHERE c.embedded_by = $embedded_by
WITH v, h, vector.similarity.cosine(c.embedding, $vector) AS score
WITH v, h, score ORDER BY score DESC, v.source_id, v.tx, h.start LIMIT $most
RETURN collect([v.source_id, v.tx, h.start, h.end]) AS places
