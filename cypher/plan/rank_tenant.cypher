// Read the vectors of all chunks that winning versions of some sources of a tenant hold, in the order of the
// sources' ids; `last` is the last of these, null where there was none.
// params: tenant, after, page, embedded_by, at
// columns: last, places, vectors
// access: read
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > $after
WITH s ORDER BY s.tenant, s.source_id LIMIT $page
CALL (s) {
  OPTIONAL MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = s.source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  RETURN CASE WHEN w.valid_to > $at THEN v END AS v
}
OPTIONAL MATCH (v)-[h:HOLDS]->(c:Chunk)
WHERE c.embedded_by = $embedded_by
RETURN max(s.source_id) AS last,
       collect(CASE WHEN c.vector IS NOT NULL THEN [v.source_id, v.tx, h.start, h.end] END) AS places,
       collect(c.vector) AS vectors
