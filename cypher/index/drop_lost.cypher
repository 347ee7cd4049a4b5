// Lock a tenant's index, and let go of the chunks of versions of some sources that win nowhere any more.
// params: tenant, source_keys, page, token
// columns: dropped
// access: write
MATCH (x:ChunkIndex {tenant: $tenant})
SET x.locked_by = $token
WITH x
UNWIND $source_keys AS key
MATCH (v:SourceVersion)
WHERE v.source_key = key AND v.chunked_by >= '' AND NOT EXISTS { (v)<-[:WINS]-() }
WITH v LIMIT $page
SET v.chunked_by = null
WITH v
CALL (v) {
  OPTIONAL MATCH (v)-[h:HOLDS]->(:Chunk)
  DELETE h
  RETURN count(h) AS gone
}
RETURN count(v) AS dropped
