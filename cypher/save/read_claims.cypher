// Read the claims of a trace: verdict, whether pinned to an instant, whether anything is cited.
// params: tenant, trace_id
// columns: idx, verdict, pinned, cites
// access: read
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})-[:MAKES]->(c:Claim)
RETURN c.idx AS idx, c.verdict AS verdict, c.pinned_at IS NOT NULL AS pinned,
       EXISTS { (c)-[:CITES]->(:SourceVersion) } AS cites
ORDER BY idx
