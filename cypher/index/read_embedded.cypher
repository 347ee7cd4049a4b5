// Read which of some texts a tenant has embedded by a model already.
// params: tenant, digests, embedded_by
// columns: text_sha256
// access: read
UNWIND $digests AS digest
MATCH (c:Chunk)
WHERE c.tenant = $tenant AND c.text_sha256 = digest AND c.embedded_by = $embedded_by
RETURN DISTINCT c.text_sha256 AS text_sha256
