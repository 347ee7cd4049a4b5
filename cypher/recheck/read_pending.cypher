// Read how the clarifications stand that the traces of some answers recorded as pending.
// params: tenant, ids
// columns: answer_id, idx, clarification_id, source_id, state, bound_tx
// access: read
UNWIND $ids AS id
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: id})-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)
MATCH (c)-[:PENDING_ON]->(k:Clarification)
RETURN a.answer_id AS answer_id, c.idx AS idx, k.clarification_id AS clarification_id,
       k.source_id AS source_id, k.state AS state, k.bound_tx AS bound_tx
