// Find chunks of winning versions by nearness to a vector, the nearest first: of the nearest in the index,
// which all tenants share, those of the tenant whose source's winner at the instant holds them.
// params: tenant, vector, embedded_by, fetch, at
// columns: places
// access: read
CALL db.index.vector.queryNodes('telha_chunk_embedding_index', $fetch, $vector)
YIELD node AS c, score
WHERE c.tenant = $tenant AND c.embedded_by = $embedded_by
CALL (c) {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = c.source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at
  MATCH (v)-[h:HOLDS]->(c)
  RETURN collect([v.source_id, v.tx, h.start, h.end]) AS held
}
WITH score, c, held ORDER BY score DESC, c.source_key, c.text_sha256
WITH collect(held) AS all_held
RETURN reduce(places = [], held IN all_held | places + held) AS places
