// Read some claims of answers with all that they cite, as their traces made them.
// params: tenant, rows
// columns: answer_id, trace_id, idx, text, cites
// access: read
UNWIND $rows AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})
MATCH (c:Claim {tenant: $tenant, trace_id: a.trace_id, idx: r.idx})
RETURN a.answer_id AS answer_id, a.trace_id AS trace_id, c.idx AS idx, c.text AS text,
       COLLECT { MATCH (c)-[x:CITES]->(v:SourceVersion)
                 RETURN {source_id: v.source_id, tx: v.tx, start: x.start, end: x.end}
                 ORDER BY v.source_id, v.tx, x.start, x.end } AS cites
