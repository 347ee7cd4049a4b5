// Tie the claims of a trace to the versions that they cite.
// params: tenant, trace_id, evidence
// columns: none
// access: write
UNWIND $evidence AS r
MATCH (c:Claim {tenant: $tenant, trace_id: $trace_id, idx: r.idx})
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
CREATE (c)-[:CITES {start: r.start, end: r.end, quote_sha256: r.quote_sha256}]->(v)
