// Verdicts of an answer
// What rule 4 found of its claims when a citation of theirs had lost: the verdict, why, by which
// matcher and model, and where the cited text stands in the version that wins instead (`start` is
// null where that is not certain).
:param tenant => 'default';
:param answer_id => '00000000-0000-0000-0000-000000000000';
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)
MATCH judged = (c)<-[:OF]-(v:Verification)
OPTIONAL MATCH against = (v)-[x:AGAINST]->(n:SourceVersion)
RETURN c.idx AS claim, v.verdict AS verdict, v.material AS material, v.reasons AS reasons,
       n.source_id AS source_id, x.cited_tx AS cited_tx, x.cited_start AS cited_start,
       x.cited_end AS cited_end, n.tx AS winning_tx, x.start AS start, x.end AS end,
       v.matcher_version AS matcher_version, v.model AS model, v.recorded_at AS recorded_at,
       judged, against
ORDER BY claim, recorded_at DESC, source_id, cited_tx, cited_start;
