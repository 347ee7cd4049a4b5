// Read which source each of some clarifications is about.
// params: tenant, clarification_ids
// columns: clarification_id, source_id
// access: read
UNWIND $clarification_ids AS id
MATCH (c:Clarification {tenant: $tenant, clarification_id: id})
RETURN c.clarification_id AS clarification_id, c.source_id AS source_id
