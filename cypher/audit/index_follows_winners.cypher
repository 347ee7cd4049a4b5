// The index follows what wins
// Unless its source waits to be indexed, a version with text is cut into chunks exactly while it wins
// somewhere, and every chunk is held by a version. Only where the tenant has an index.
// invariant: yes
:param tenant => 'default';
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > '' AND s.unindexed_since IS NULL
  AND EXISTS { MATCH (x:ChunkIndex {tenant: $tenant}) WHERE x.made_by IS NOT NULL }
CALL (s) {
  MATCH path = (s)-[:WINS]->(v:SourceVersion)
  WHERE v.chunked_by IS NULL AND v.text IS NOT NULL
  RETURN 'wins and is not cut' AS problem, v.tx AS tx, path
  UNION ALL
  MATCH path = (v:SourceVersion)
  WHERE v.source_key = s.source_key AND v.chunked_by >= '' AND NOT EXISTS { (v)<-[:WINS]-() }
  RETURN 'is cut and wins nowhere' AS problem, v.tx AS tx, path
  UNION ALL
  MATCH path = (c:Chunk)
  WHERE c.source_key = s.source_key AND c.text_sha256 > '' AND NOT EXISTS { (c)<-[:HOLDS]-() }
  RETURN 'a chunk is held by no version' AS problem, null AS tx, path
}
RETURN s.source_id AS source_id, problem, tx, path
ORDER BY source_id, problem, tx;
