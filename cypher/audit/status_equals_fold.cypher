// Status equals the fold of the claim states
// For every version of every answer: any claim invalidated, else conflicted, else pending decides;
// else stale where all are affected, partially stale where some are, and current (also without any
// claim). A state that is not known counts as affected. `superseded` stands apart: exactly what
// another answer supersedes has it. There are as many states as claims.
// invariant: yes
:param tenant => 'default';
CALL () {
  MATCH (v:AnswerVersion)
  WHERE v.tenant = $tenant AND v.answer_id > '' AND v.seq >= 1 AND v.status <> 'superseded'
  WITH v, coalesce(v.claim_states, []) AS states
  WITH v, states, size([state IN states WHERE state <> 'ok']) AS moved
  WITH v, CASE WHEN 'invalidated' IN states THEN 'invalidated'
               WHEN 'conflicted' IN states THEN 'conflicted'
               WHEN 'pending' IN states THEN 'pending'
               WHEN moved = 0 THEN 'current'
               WHEN moved = size(states) THEN 'stale'
               ELSE 'partially_stale' END AS folded
  WHERE v.status <> folded
  RETURN v.answer_id AS answer_id, v.seq AS seq, v.status AS status, folded,
         v.claim_states AS claim_states, COLLECT { MATCH path = (v)<-[:HEAD|PREVIOUS]-() RETURN path } AS paths
  UNION ALL
  MATCH (a:SAVED_ANSWER)
  WHERE a.tenant = $tenant AND a.answer_id > ''
  WITH a, EXISTS { (a)<-[:SUPERSEDES]-(:SAVED_ANSWER) } AS superseded,
       COUNT { (a)-[:PINS]->(:Trace)-[:MAKES]->(:Claim) } AS claims
  WHERE (a.status = 'superseded') <> superseded OR size(a.claim_states) <> claims
  RETURN a.answer_id AS answer_id, a.seq AS seq, a.status AS status,
         CASE WHEN superseded THEN 'superseded'
              WHEN a.status = 'superseded' THEN 'superseded by nothing'
              ELSE claims + ' claims' END AS folded,
         a.claim_states AS claim_states, COLLECT { MATCH path = (a)-[:PINS|SUPERSEDES]-() RETURN path } AS paths
}
RETURN answer_id, seq, status, folded, claim_states, paths
ORDER BY answer_id, seq;
