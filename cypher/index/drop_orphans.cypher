// Remove the chunks of some sources that no version holds. The caller has the lock of the index.
// params: source_keys
// columns: none
// access: write
UNWIND $source_keys AS key
MATCH (c:Chunk)
WHERE c.source_key = key AND c.text_sha256 > '' AND NOT EXISTS { (c)<-[:HOLDS]-() }
DELETE c
