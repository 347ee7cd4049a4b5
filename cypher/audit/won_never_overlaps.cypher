// Tiles never overlap, as known at any time
// No two tiles of a source, of those that win (WINS) and those that used to (WON), hold for the same
// valid instant at the same recorded instant: so as-of reads have at most one winner. Tiles are
// compared only with blocks of tiles whose bounds meet theirs, so that long histories stay cheap.
// invariant: yes
:param tenant => 'default';
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
CALL (s) {
  CALL (s) {
    MATCH (s)-[w:WINS]->(:SourceVersion)
    WITH w ORDER BY w.valid_from
    RETURN collect(w) AS tiles
    UNION ALL
    MATCH (s)-[w:WON]->(:SourceVersion)
    WITH w ORDER BY w.tx_from, w.valid_from
    RETURN collect(w) AS tiles
  }
  WITH tiles, toInteger(sqrt(size(tiles))) + 1 AS step
  UNWIND range(0, size(tiles) - 1) AS place
  WITH tiles[place] AS w, place, place / step AS block
  WITH type(w) AS kind, block,
       {tile: w, place: CASE type(w) WHEN 'WON' THEN place ELSE -1 - place END, lo: w.valid_from,
        hi: w.valid_to, since: w.tx_from, until: coalesce(w.tx_to, 9223372036854775807)} AS each
  WITH kind, block, {lo: min(each.lo), hi: max(each.hi), since: min(each.since),
                     until: max(each.until), members: collect(each)} AS bounds
  RETURN collect(bounds) AS blocks
}
UNWIND blocks AS home
UNWIND home.members AS one
UNWIND [b IN blocks WHERE b.lo < one.hi AND b.hi > one.lo
                      AND b.since < one.until AND b.until > one.since |
        [each IN b.members WHERE each.lo < one.hi AND each.hi > one.lo AND each.since < one.until
                             AND each.until > one.since AND each.place > one.place]] AS met
UNWIND met AS other
WITH s, one.tile AS one, other.tile AS other
RETURN s.source_id AS source_id, type(one) AS one_is, endNode(one).tx AS one_tx,
       one.valid_from AS one_from, nullIf(one.valid_to, 9223372036854775807) AS one_to,
       one.tx_from AS one_since, one.tx_to AS one_until, type(other) AS other_is,
       endNode(other).tx AS other_tx, other.valid_from AS other_from,
       nullIf(other.valid_to, 9223372036854775807) AS other_to, other.tx_from AS other_since,
       other.tx_to AS other_until, one, other
ORDER BY source_id, one_since, one_from;
