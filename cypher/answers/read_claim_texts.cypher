// Read the claims of a trace as they were made.
// params: tenant, trace_id
// columns: idx, text, valid_time, pinned_at
// access: read
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})-[:MAKES]->(c:Claim)
RETURN c.idx AS idx, c.text AS text, c.valid_time AS valid_time, c.pinned_at AS pinned_at
ORDER BY idx
