// Read the newest state's outcome of a clarification.
// params: tenant, clarification_id
// columns: text, bound_tx
// access: read
MATCH (c:Clarification {tenant: $tenant, clarification_id: $clarification_id})-[:STATE]->(s:ClarificationState)
WHERE s.seq = c.seq
RETURN s.text AS text, s.bound_tx AS bound_tx
