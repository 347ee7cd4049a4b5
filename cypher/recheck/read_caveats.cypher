// Read what a reader of some answers must know although it moves no state: an open question about
// a cited source that was not pending then, and something newer under an override that wins.
// params: tenant, instants
// columns: answer_id, idx, caveat
// access: read
UNWIND $instants AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)
MATCH (c)-[:CITES]->(v:SourceVersion)
WITH r, c, v, coalesce(c.pinned_at, r.at) AS at
CALL (c, v, at) {
  MATCH (k:Clarification)
  WHERE k.tenant = v.tenant AND k.source_id = v.source_id AND k.state = 'open'
    AND NOT EXISTS { (c)-[:PENDING_ON]->(k) }
  RETURN 'clarification_open' AS caveat
  UNION
  MATCH (v)<-[:BINDS]-(o:Override)
  WHERE o.released_at IS NULL AND o.valid_from <= at AND o.valid_to > at
    AND EXISTS { (v)<-[w:WINS]-(:Source) WHERE w.valid_from <= at AND w.valid_to > at }
  WITH v, at, max(o.tx) AS decided_tx
  CALL (v, at) {
    MATCH (b:SourceVersion)
    USING INDEX b:SourceVersion(source_key, valid_from, tx)
    WHERE b.source_key = v.source_key AND b.valid_from <= at AND b.tx >= 0
      AND b.competes AND b.valid_to > at
    RETURN b ORDER BY b.source_key DESC, b.valid_from DESC, b.tx DESC LIMIT 1
  }
  WITH b, v, decided_tx WHERE b.tx > decided_tx AND b <> v
  RETURN 'newer_under_override' AS caveat
}
RETURN DISTINCT r.answer_id AS answer_id, c.idx AS idx, caveat
