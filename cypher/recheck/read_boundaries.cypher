// Read when the clock alone may next change each answer: the first start or end of a tile, after
// the answer's instant, of a source that an unpinned claim cites; and when the last check said.
// No row where neither is.
// params: tenant, instants
// columns: answer_id, boundary, expires_at
// access: read
UNWIND $instants AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)
WHERE c.pinned_at IS NULL
MATCH (c)-[:CITES]->(v:SourceVersion)
WITH DISTINCT r, a.expires_at AS expires_at, v.source_key AS key
WITH r.at AS at, key, collect({answer_id: r.answer_id, expires_at: expires_at}) AS citing
CALL (at, key) {
  OPTIONAL MATCH (:Source)-[w:WINS]->(:SourceVersion)
  WHERE w.source_key = key AND w.valid_from <= at
  WITH at, w ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  RETURN CASE WHEN w.valid_to > at AND w.valid_to < 9223372036854775807 THEN w.valid_to END AS ends
}
CALL (at, key) {
  OPTIONAL MATCH (:Source)-[w:WINS]->(:SourceVersion)
  WHERE w.source_key = key AND w.valid_from > at
  WITH w ORDER BY w.source_key, w.valid_from LIMIT 1
  RETURN w.valid_from AS starts
}
UNWIND citing AS r
UNWIND [ends, starts] AS boundary
WITH r.answer_id AS answer_id, min(boundary) AS boundary, r.expires_at AS expires_at
WHERE boundary IS NOT NULL OR expires_at IS NOT NULL
RETURN answer_id, boundary, expires_at
