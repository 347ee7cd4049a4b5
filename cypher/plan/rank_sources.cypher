// Read the vectors of all chunks that the winning versions of some sources hold; `last` is the last source.
// params: source_keys, embedded_by, at
// columns: last, places, vectors
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
WHERE c.embedded_by = $embedded_by AND c.vector IS NOT NULL
RETURN max(v.source_id) AS last, collect([v.source_id, v.tx, h.start, h.end]) AS places,
       collect(c.vector) AS vectors
