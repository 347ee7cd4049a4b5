// Lock a clarification and read how it stands; no row where there is none.
// params: tenant, clarification_id, token
// columns: source_id, seq, state, last_recorded_at
// access: write
MATCH (c:Clarification {tenant: $tenant, clarification_id: $clarification_id})
SET c.locked_by = $token
WITH c
RETURN c.source_id AS source_id, c.seq AS seq, c.state AS state, c.last_recorded_at AS last_recorded_at
