// Lock current answers by id, and note a check on those that still are: no seq of what they watch
// moved, no boundary passed, nobody asks about it or overrides it, every citation wins, and no
// claim waited for a clarification that was not withdrawn. So rules 1 to 3 find nothing, and no
// model is asked.
// params: tenant, ids, token, now, max_age
// columns: answer_id
// access: write
UNWIND $ids AS id
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: id})
SET a.locked_by = $token
WITH a
WHERE a.deleted_at IS NULL AND a.status = 'current' AND a.failures = 0
  AND NOT a.claims_json CONTAINS 'clarification_open'
CALL (a) {
  MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
  WITH x, t ORDER BY x.idx
  RETURN collect(coalesce(t.tiles_seq, t.seq)) AS seqs, coalesce(max(t.last_tx), 0) AS newest_tx,
         count(CASE WHEN EXISTS { MATCH (k:Clarification)
                                  WHERE k.tenant = $tenant AND k.source_id = t.source_id
                                    AND k.state = 'open' }
                      OR EXISTS { MATCH (o:Override)
                                  WHERE o.source_key = t.source_key AND o.valid_from >= 0
                                    AND o.released_at IS NULL }
                    THEN 1 END) AS disputed
}
WITH a, CASE WHEN newest_tx > $now THEN newest_tx ELSE $now END AS at, seqs, disputed
WHERE disputed = 0 AND a.checked_seqs = seqs AND coalesce(a.expires_at > at, true)
  AND NOT EXISTS {
    MATCH (a)-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)-[:CITES]->(v:SourceVersion)
    WITH v, coalesce(c.pinned_at, at) AS judged_at
    WHERE NOT EXISTS { (v)<-[w:WINS]-(:Source) WHERE w.valid_from <= judged_at AND w.valid_to > judged_at }
    RETURN v }
  AND NOT EXISTS {
    (a)-[:PINS]->(:Trace)-[:MAKES]->(:Claim)-[:PENDING_ON]->(k:Clarification)
    WHERE k.state <> 'withdrawn' }
SET a.checked_at = $now,
    a.recheck_due_at = CASE WHEN a.expires_at < $now + $max_age THEN a.expires_at
                            ELSE $now + $max_age END
RETURN a.answer_id AS answer_id
