// Read what rule 4 found of the claims of a trace until an instant, the newest first: the verdict, why,
// and where in each version that it was judged against.
// params: tenant, trace_id, at
// columns: idx, verdict, material, reasons, matcher_version, model, recorded_at, against
// access: read
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})-[:MAKES]->(c:Claim)<-[:OF]-(v:Verification)
WHERE v.recorded_at <= $at
RETURN c.idx AS idx, v.verdict AS verdict, v.material AS material, v.reasons AS reasons,
       v.matcher_version AS matcher_version, v.model AS model, v.recorded_at AS recorded_at,
       COLLECT { MATCH (v)-[x:AGAINST]->(n:SourceVersion)
                 RETURN {source_id: n.source_id, tx: n.tx, cited_tx: x.cited_tx,
                         cited_start: x.cited_start, cited_end: x.cited_end,
                         start: x.start, end: x.end}
                 ORDER BY n.source_id, n.tx, x.cited_start } AS against
ORDER BY idx, recorded_at DESC, v.digest
