// Answers touched by a source
// Dry run: which live answers would be re-checked if this source changed now, and what would they
// become if everything cited from it were displaced? Worst first. Claims pinned to an instant move
// only if the change reaches that instant.
:param tenant => 'default';
:param source_id => 'handbook';
MATCH watch = (s:Source {tenant: $tenant, source_id: $source_id})<-[:WATCHES]-(:Watch)-[:FOR]->(a:SAVED_ANSWER)
WHERE a.deleted_at IS NULL AND a.status <> 'superseded'
CALL (a, s) {
  MATCH (a)-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)
  WITH c, EXISTS { (c)-[:CITES]->(v:SourceVersion) WHERE v.source_key = s.source_key } AS cites
  ORDER BY c.idx
  RETURN collect({idx: c.idx, cites: cites, pinned: c.pinned_at IS NOT NULL}) AS claims
}
WITH watch, a, s, claims,
     [i IN range(0, size(claims) - 1) |
      CASE WHEN claims[i].cites AND a.claim_states[i] = 'ok' THEN 'affected'
           ELSE a.claim_states[i] END] AS states
WITH watch, a, s, claims,
     CASE WHEN 'invalidated' IN states THEN 'invalidated'
          WHEN 'conflicted' IN states THEN 'conflicted'
          WHEN 'pending' IN states THEN 'pending'
          WHEN all(state IN states WHERE state <> 'ok') THEN 'stale'
          WHEN any(state IN states WHERE state <> 'ok') THEN 'partially_stale'
          ELSE 'current' END AS would_be,
     [i IN range(0, size(claims) - 1)
      WHERE claims[i].cites AND a.claim_states[i] = 'ok' | claims[i].idx] AS newly_affected
RETURN a.answer_id AS answer_id, a.title AS title, a.status AS status, would_be, newly_affected,
       [claim IN claims WHERE claim.cites | claim.idx] AS citing_claims,
       [claim IN claims WHERE claim.cites AND claim.pinned | claim.idx] AS pinned_claims,
       size(claims) AS claims, a.checked_at AS checked_at, watch,
       COLLECT { MATCH citing = (a)-[:PINS]->(:Trace)-[:MAKES]->(:Claim)-[:CITES]->(v:SourceVersion)
                 WHERE v.source_key = s.source_key RETURN citing } AS evidence
ORDER BY CASE would_be WHEN 'invalidated' THEN 0 WHEN 'conflicted' THEN 1 WHEN 'pending' THEN 2
                       WHEN 'stale' THEN 3 WHEN 'partially_stale' THEN 4 ELSE 5 END,
         size(newly_affected) DESC, answer_id;
