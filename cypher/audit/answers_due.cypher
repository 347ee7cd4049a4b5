// Answers due or expiring in a window
// Which live answers are due for a check from `from` until just before `until` (µs), or are current
// and may change by the clock alone then? The soonest first; `tiles` are those whose start or end
// the expiry waits for.
:param tenant => 'default';
:param from => 1772323200000000;
:param until => 1772928000000000;
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.answer_id > '' AND a.deleted_at IS NULL AND a.status <> 'superseded'
WITH a,
     CASE WHEN $from <= a.recheck_due_at < $until THEN a.recheck_due_at END AS due_at,
     CASE WHEN a.status = 'current' AND $from <= a.expires_at < $until THEN a.expires_at END AS expires_at
WHERE due_at IS NOT NULL OR expires_at IS NOT NULL
CALL (a, expires_at) {
  MATCH (a)-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)-[:CITES]->(v:SourceVersion)
  WHERE c.pinned_at IS NULL AND expires_at IS NOT NULL
  WITH DISTINCT expires_at, v.source_key AS key
  CALL (key, expires_at) {
    MATCH tile = (:Source)-[w:WINS]->(:SourceVersion)
    WHERE w.source_key = key AND w.valid_from < expires_at
    WITH tile, w ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
    WHERE w.valid_to = expires_at
    RETURN tile
    UNION ALL
    MATCH tile = (:Source)-[w:WINS]->(:SourceVersion)
    WHERE w.source_key = key AND w.valid_from = expires_at
    RETURN tile
  }
  RETURN collect(tile) AS tiles
}
RETURN toString(datetime({epochMillis: coalesce(due_at, expires_at) / 1000})) AS soonest,
       a.answer_id AS answer_id, a.title AS title, a.status AS status, due_at, expires_at,
       a.checked_at AS checked_at, tiles
ORDER BY coalesce(due_at, expires_at), answer_id;
