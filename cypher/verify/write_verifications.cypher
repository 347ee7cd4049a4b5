// Keep verdicts under their digests, tied to the claims that were judged and to the versions that they
// were judged against, with the span found there. Twice is once.
// params: tenant, rows, recorded_at
// columns: none
// access: write
UNWIND $rows AS r
MERGE (v:Verification {tenant: $tenant, digest: r.digest})
  ON CREATE SET v.verdict = r.verdict, v.material = r.material, v.reasons = r.reasons,
                v.matcher_version = r.matcher_version, v.model = r.model,
                v.recorded_at = $recorded_at
WITH v, r
MATCH (c:Claim {tenant: $tenant, trace_id: r.trace_id, idx: r.idx})
MERGE (v)-[:OF]->(c)
WITH v, r
UNWIND r.against AS w
MATCH (n:SourceVersion {source_key: w.source_key, tx: w.tx})
MERGE (v)-[x:AGAINST {cited_tx: w.cited_tx, cited_start: w.cited_start, cited_end: w.cited_end}]->(n)
  ON CREATE SET x.start = w.start, x.end = w.end
