// Read the clarifications that are open about some sources of a tenant.
// params: tenant, source_ids
// columns: clarification_id, source_id
// access: read
UNWIND $source_ids AS source_id
MATCH (k:Clarification)
WHERE k.tenant = $tenant AND k.source_id = source_id AND k.state = 'open'
RETURN k.clarification_id AS clarification_id, k.source_id AS source_id
ORDER BY source_id, clarification_id
