// Citations of an answer
// Which version does each claim rest on, and does it still win at the claim's instant? Cited and
// winning coordinates side by side; `wins` is null where a claim cites nothing, `winning_tx` where
// no version wins. `at` (µs): the instant for claims that are not pinned to one of their own.
:param tenant => 'default';
:param answer_id => '00000000-0000-0000-0000-000000000000';
:param at => 1772366400000000;
MATCH made = (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[:PINS]->(t:Trace)-[:MAKES]->(c:Claim)
WITH made, a, c, coalesce(c.pinned_at, $at) AS at,
     COUNT { (t)-[:MAKES]->(before:Claim) WHERE before.idx < c.idx } AS place
OPTIONAL MATCH cited = (c)-[x:CITES]->(v:SourceVersion)
CALL (v, at) {
  OPTIONAL MATCH tile = (:Source)-[w:WINS]->(n:SourceVersion)
  WHERE w.source_key = v.source_key AND w.valid_from <= at
  WITH tile, w, n ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  RETURN CASE WHEN w.valid_to > at THEN tile END AS tile,
         CASE WHEN w.valid_to > at THEN w END AS w,
         CASE WHEN w.valid_to > at THEN n END AS n
}
RETURN c.idx AS claim, a.claim_states[place] AS state, at, v.source_id AS source_id,
       v.tx AS cited_tx, x.start AS start, x.end AS end, v.removal AS removal,
       CASE WHEN v IS NOT NULL THEN v.removal IS NULL AND coalesce(n = v, false) END AS wins,
       n.tx AS winning_tx, w.valid_from AS wins_from,
       nullIf(w.valid_to, 9223372036854775807) AS wins_to, w.tx_from AS wins_since,
       made, cited, tile
ORDER BY claim, source_id, cited_tx, start;
