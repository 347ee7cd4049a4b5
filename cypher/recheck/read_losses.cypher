// Judge the citations of some answers, each at its claim's instant: only those that lost return,
// by version and instant, so who wins in its place is sought once, however many cite it. A
// tombstoned version wins nowhere.
// params: tenant, instants
// columns: cited, source_id, cited_tx, at, tombstoned, cited_from, cited_to, cited_competes, winning_tx, winning_from, winning_corrects, overridden, blank_ends
// access: read
UNWIND $instants AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})-[:PINS]->()-[:MAKES]->(c)
WITH r, c, coalesce(c.pinned_at, r.at) AS at
MATCH (c)-[x:CITES]->(v)
OPTIONAL MATCH (v)<-[w:WINS]-() WHERE w.valid_from <= at AND w.valid_to > at
WITH r, c, x, v, at WHERE w IS NULL
WITH v, at, collect({answer_id: r.answer_id, idx: c.idx, start: x.start, end: x.end}) AS cited
CALL (v, at) {
  OPTIONAL MATCH (:Source)-[w:WINS]->(n:SourceVersion)
  WHERE w.source_key = v.source_key AND w.valid_from <= at
  WITH w, n, at ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
  RETURN CASE WHEN w.valid_to > at THEN n END AS n
}
CALL (v, n, at) {
  OPTIONAL MATCH (b:SourceVersion)
  USING INDEX b:SourceVersion(source_key, valid_from, tx)
  WHERE n IS NULL AND b.source_key = v.source_key AND b.valid_from <= at AND b.tx >= 0
    AND b.competes AND b.valid_to > at
  WITH b ORDER BY b.source_key DESC, b.valid_from DESC, b.tx DESC LIMIT 1
  RETURN coalesce(b.ends, false) AS blank_ends
}
RETURN cited, v.source_id AS source_id, v.tx AS cited_tx, at, v.removal IS NOT NULL AS tombstoned,
       v.valid_from AS cited_from, v.valid_to AS cited_to, v.competes AS cited_competes,
       n.tx AS winning_tx, n.valid_from AS winning_from, n.corrects_tx AS winning_corrects,
       EXISTS { (n)<-[:BINDS]-(o:Override)
                WHERE o.released_at IS NULL AND o.valid_from <= at AND o.valid_to > at } AS overridden,
       blank_ends
