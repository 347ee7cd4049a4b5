// Read what some bound clarifications were bound to, as they stand.
// params: tenant, clarification_ids
// columns: clarification_id, source_id, text, bound_tx
// access: read
UNWIND $clarification_ids AS id
MATCH (k:Clarification {tenant: $tenant, clarification_id: id})-[:STATE]->(s:ClarificationState)
WHERE s.seq = k.seq
RETURN k.clarification_id AS clarification_id, k.source_id AS source_id, s.text AS text,
       s.bound_tx AS bound_tx
