// Claim a trace id, and read by which body it is taken; a second caller waits for the first.
// params: tenant, trace_id, body_digest
// columns: body_digest, taken
// access: write
MERGE (t:Trace {tenant: $tenant, trace_id: $trace_id})
  ON CREATE SET t.body_digest = $body_digest
RETURN t.body_digest AS body_digest, t.kind IS NOT NULL AS taken
