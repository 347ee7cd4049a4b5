// Read the verdicts kept under some digests, each with those of the claims that ask for it to which
// it is tied already.
// params: tenant, rows
// columns: digest, verdict, material, tied
// access: read
UNWIND $rows AS r
WITH r.digest AS digest, collect(r) AS asking
MATCH (v:Verification {tenant: $tenant, digest: digest})
RETURN digest, v.verdict AS verdict, v.material AS material,
       COLLECT { UNWIND asking AS r
                 MATCH (v)-[:OF]->(:Claim {tenant: $tenant, trace_id: r.trace_id, idx: r.idx})
                 RETURN {trace_id: r.trace_id, idx: r.idx} } AS tied
