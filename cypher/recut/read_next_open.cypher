// Read where the next open-ended candidate of some sources starts: right of it no earlier start can win.
// params: rows
// columns: source_key, valid_from
// access: read
UNWIND $rows AS r
CALL (r) {
  MATCH (v:SourceVersion)
  USING INDEX v:SourceVersion(source_key, valid_from, tx)
  WHERE v.source_key = r.source_key AND v.valid_from > r.after AND v.tx >= 0
    AND v.competes AND v.valid_to = 9223372036854775807
  WITH v ORDER BY v.source_key, v.valid_from LIMIT 1
  RETURN v.valid_from AS valid_from
}
RETURN r.source_key AS source_key, valid_from
