// Tie the claims of a trace to the clarifications that were pending on their evidence.
// params: tenant, trace_id, pending
// columns: none
// access: write
UNWIND $pending AS r
MATCH (c:Claim {tenant: $tenant, trace_id: $trace_id, idx: r.idx})
MATCH (k:Clarification {tenant: $tenant, clarification_id: r.clarification_id})
MERGE (c)-[:PENDING_ON]->(k)
