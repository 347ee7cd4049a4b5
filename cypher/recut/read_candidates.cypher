// Read a page of the candidates of some sources that start before an instant, best rank first: one
// row a source, each candidate as [tx, valid_from, valid_to, blank].
// params: spans, skip, page
// columns: source_key, candidates
// access: read
UNWIND $spans AS r
CALL (r) {
  MATCH (v:SourceVersion)
  USING INDEX v:SourceVersion(source_key, valid_from, tx)
  WHERE v.source_key = r.source_key AND v.valid_from < r.hi AND v.tx >= 0 AND v.competes
  WITH v ORDER BY v.source_key DESC, v.valid_from DESC, v.tx DESC SKIP $skip LIMIT $page
  RETURN collect([v.tx, v.valid_from, v.valid_to, v.ends OR v.removal IS NOT NULL]) AS candidates
}
RETURN r.source_key AS source_key, candidates
