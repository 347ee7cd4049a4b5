// Read a page of the candidates of some sources that start before an instant, best rank first.
// params: spans, skip, page
// columns: source_key, tx, valid_from, valid_to, blank
// access: read
UNWIND $spans AS r
CALL (r) {
  MATCH (v:SourceVersion)
  USING INDEX v:SourceVersion(source_key, valid_from, tx)
  WHERE v.source_key = r.source_key AND v.valid_from < r.hi AND v.tx >= 0 AND v.competes
  RETURN v ORDER BY v.source_key DESC, v.valid_from DESC, v.tx DESC SKIP $skip LIMIT $page
}
RETURN v.source_key AS source_key, v.tx AS tx, v.valid_from AS valid_from, v.valid_to AS valid_to,
       (v.ends OR v.removal IS NOT NULL) AS blank
