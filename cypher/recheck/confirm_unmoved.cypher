// Lock current answers by id, and note a check on those that still are: no seq of what they watch
// moved, no boundary passed, nobody asks about it or overrides it, every citation wins, and no
// claim waited for a clarification that was not withdrawn. So rules 1 to 3 find nothing, and no
// model is asked. What is disputed is read first: a caveat of another moment is as good.
// params: tenant, ids, token, now, max_age
// columns: answer_ids
// access: write
CALL () {
  MATCH (k:Clarification)
  WHERE k.tenant = $tenant AND k.source_id > '' AND k.state = 'open'
  RETURN k.source_id AS source_id
  UNION
  MATCH (o:Override)-[:OVERRIDES]->(s:Source)
  WHERE o.tenant = $tenant AND o.override_id > '' AND o.released_at IS NULL
  RETURN s.source_id AS source_id
}
WITH collect(source_id) AS disputed
UNWIND $ids AS id
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: id})
SET a.locked_by = $token
WITH a, disputed
WHERE a.deleted_at IS NULL AND a.status = 'current'
  AND coalesce(a.expires_at > $now, true) AND NOT a.claims_json CONTAINS 'clarification_open'
WITH a, disputed, a.checked_seqs AS covered
WHERE NOT EXISTS {
    MATCH (a)<-[:FOR]-()-[x:WATCHES]->(t)
    WHERE coalesce(t.tiles_seq, t.seq) <> covered[x.idx] OR t.last_tx > $now
       OR t.tiles_seq IS NULL AND t.state <> 'withdrawn'
       OR size(disputed) > 0 AND t.source_id IN disputed }
CALL (a) {
    MATCH (a)-[:PINS]->()-[:MAKES]->(c)
    WITH c, coalesce(c.pinned_at, $now) AS at
    MATCH (c)-[:CITES]->(v)
    OPTIONAL MATCH (v)<-[w:WINS]-() WHERE w.valid_from <= at AND w.valid_to > at
    WITH w WHERE w IS NULL
    RETURN count(*) AS lost
}
WITH a WHERE lost = 0
SET a.checked_at = $now,
    a.recheck_due_at = CASE WHEN a.expires_at < $now + $max_age THEN a.expires_at
                            ELSE $now + $max_age END
RETURN collect(a.answer_id) AS answer_ids
