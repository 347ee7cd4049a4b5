// Overrides with something newer under them
// Active overrides in whose window something competes that is newer than they are: it wins nowhere
// there while they stand. The newest of it, and how many live answers cite what the override binds.
// One whose version is tombstoned decides nothing and is left out.
:param tenant => 'default';
MATCH (o:Override)
WHERE o.tenant = $tenant AND o.override_id > '' AND o.released_at IS NULL
MATCH bound = (o)-[:BINDS]->(v:SourceVersion)
WHERE v.removal IS NULL
CALL (o) {
  MATCH (b:SourceVersion)
  WHERE b.source_key = o.source_key AND b.tx > o.tx
    AND b.competes AND b.valid_from < o.valid_to AND b.valid_to > o.valid_from
  WITH b ORDER BY b.tx DESC
  RETURN collect(b)[0] AS newest, count(b) AS newer
}
WITH o, v, bound, newest, newer WHERE newer > 0
MATCH under = (newest)-[:VERSION_OF]->(:Source)<-[:OVERRIDES]-(o)
RETURN newest.source_id AS source_id, o.override_id AS override_id, o.tx AS override_tx,
       o.bound_tx AS bound_tx, o.valid_from AS valid_from,
       nullIf(o.valid_to, 9223372036854775807) AS valid_to, newer, newest.tx AS newest_tx,
       newest.valid_from AS newest_from, newest.ends AS newest_ends,
       COUNT { MATCH (v)<-[:CITES]-(:Claim)<-[:MAKES]-(:Trace)<-[:PINS]-(a:SAVED_ANSWER)
               WHERE a.deleted_at IS NULL AND a.status <> 'superseded' RETURN DISTINCT a } AS answers,
       o.reason AS reason, o.created_by AS created_by, bound, under
ORDER BY source_id, override_tx;
