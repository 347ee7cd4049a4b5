// Read by which body a trace id is taken.
// params: tenant, trace_id
// columns: body_digest, kind, claims
// access: read
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})
RETURN t.body_digest AS body_digest, t.kind AS kind, COUNT { (t)-[:MAKES]->(:Claim) } AS claims
