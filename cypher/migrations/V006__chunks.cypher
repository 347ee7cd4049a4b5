// What retrieval seeks, and what models used. Every statement may run again. The vector index takes vectors
// of any length, since each model has its own, and compares a query with those of its own length only.
CREATE CONSTRAINT telha_chunk_source_key_text_sha256_key IF NOT EXISTS
FOR (n:Chunk) REQUIRE (n.source_key, n.text_sha256) IS UNIQUE;
CREATE CONSTRAINT telha_chunk_index_key IF NOT EXISTS
FOR (n:ChunkIndex) REQUIRE (n.tenant) IS UNIQUE;
CREATE CONSTRAINT telha_spend_tenant_day_key IF NOT EXISTS
FOR (n:Spend) REQUIRE (n.tenant, n.day) IS UNIQUE;
CREATE INDEX telha_chunk_tenant_text_sha256_index IF NOT EXISTS
FOR (n:Chunk) ON (n.tenant, n.text_sha256);
CREATE INDEX telha_source_version_source_key_chunked_by_index IF NOT EXISTS
FOR (n:SourceVersion) ON (n.source_key, n.chunked_by);
CREATE INDEX telha_source_tenant_unindexed_since_index IF NOT EXISTS
FOR (n:Source) ON (n.tenant, n.unindexed_since);
CREATE FULLTEXT INDEX telha_chunk_text_index IF NOT EXISTS
FOR (n:Chunk) ON EACH [n.scope_key, n.text];
CREATE VECTOR INDEX telha_chunk_embedding_index IF NOT EXISTS
FOR (n:Chunk) ON (n.embedding)
OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine'}};
