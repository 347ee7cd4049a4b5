// Read a page of the candidates that start before an instant, best rank first.
// params: source_key, before, skip, page
// columns: tx, valid_from, valid_to, blank
// access: read
MATCH (v:SourceVersion)
USING INDEX v:SourceVersion(source_key, valid_from, tx)
WHERE v.source_key = $source_key AND v.valid_from < $before AND v.tx >= 0 AND v.competes
WITH v ORDER BY v.source_key DESC, v.valid_from DESC, v.tx DESC SKIP $skip LIMIT $page
RETURN v.tx AS tx, v.valid_from AS valid_from, v.valid_to AS valid_to,
       (v.ends OR v.removal IS NOT NULL) AS blank
