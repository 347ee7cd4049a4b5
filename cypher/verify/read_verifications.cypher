// Read the verdicts kept under some digests, and whether each is tied to the claim that asks.
// params: tenant, rows
// columns: digest, trace_id, idx, verdict, material, tied
// access: read
UNWIND $rows AS r
MATCH (v:Verification {tenant: $tenant, digest: r.digest})
RETURN v.digest AS digest, r.trace_id AS trace_id, r.idx AS idx, v.verdict AS verdict,
       v.material AS material,
       EXISTS { (v)-[:OF]->(:Claim {tenant: $tenant, trace_id: r.trace_id, idx: r.idx}) } AS tied
