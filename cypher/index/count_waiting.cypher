// Count the versions of waiting sources that are to be cut, and the chunks that a tenant has.
// params: tenant, made_by
// columns: versions, chunks
// access: read
CALL () {
  MATCH (s:Source) WHERE s.tenant = $tenant AND s.unindexed_since >= 0
  MATCH (s)-[:WINS]->(v:SourceVersion)
  WHERE coalesce(v.chunked_by, '') <> $made_by AND v.text IS NOT NULL
  RETURN count(DISTINCT v) AS versions
}
CALL () {
  MATCH (c:Chunk) WHERE c.tenant = $tenant AND c.text_sha256 > ''
  RETURN count(c) AS chunks
}
RETURN versions, chunks
