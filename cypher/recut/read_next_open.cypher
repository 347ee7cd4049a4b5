// Read where the next open-ended candidate starts: right of it no earlier start can win.
// params: source_key, after
// columns: valid_from
// access: read
MATCH (v:SourceVersion)
USING INDEX v:SourceVersion(source_key, valid_from, tx)
WHERE v.source_key = $source_key AND v.valid_from > $after AND v.tx >= 0
  AND v.competes AND v.valid_to = 9223372036854775807
WITH v ORDER BY v.source_key, v.valid_from LIMIT 1
RETURN v.valid_from AS valid_from
