// Find chunks of winning versions by words, the best first: of the best hits in the index those whose source's
// winner at the instant holds them. `seen` counts the hits, so that a caller knows whether there are more.
// params: tenant, words, fetch, at
// columns: seen, places
// access: read
CALL db.index.fulltext.queryNodes('telha_chunk_text_index', $words, {limit: $fetch})
YIELD node AS c, score
WHERE c.tenant = $tenant
CALL (c) {
  MATCH (:Source)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = c.source_key AND w.valid_from <= $at
  WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  WHERE w.valid_to > $at
  MATCH (v)-[h:HOLDS]->(c)
  RETURN collect([v.source_id, v.tx, h.start, h.end]) AS held
}
WITH score, c, held ORDER BY score DESC, c.source_key, c.text_sha256
WITH count(c) AS seen, collect(held) AS all_held
RETURN seen, reduce(places = [], held IN all_held | places + held) AS places
