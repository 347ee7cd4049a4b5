// Lock a tenant's index, and let go of the chunks of versions that get others, made by the first of `made_by`;
// versions that have some by any of these are left out. `held` counts the chunks that one had.
// params: tenant, versions, made_by, token
// columns: source_key, tx, held
// access: write
MATCH (x:ChunkIndex {tenant: $tenant})
SET x.locked_by = $token
WITH x
UNWIND $versions AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
WHERE NOT coalesce(v.chunked_by, '') IN $made_by
SET v.chunked_by = $made_by[0]
WITH v
CALL (v) {
  OPTIONAL MATCH (v)-[h:HOLDS]->(:Chunk)
  DELETE h
  RETURN count(h) AS gone
}
RETURN v.source_key AS source_key, v.tx AS tx, gone AS held
