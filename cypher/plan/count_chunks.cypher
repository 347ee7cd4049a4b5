// Count the chunks of a tenant, up to a most.
// params: tenant, most
// columns: chunks
// access: read
MATCH (c:Chunk)
WHERE c.tenant = $tenant AND c.text_sha256 > ''
WITH c LIMIT $most
RETURN count(c) AS chunks
