// Read what decides about arriving statements: the version at the same tx, the newest statement
// below it, the newest competing one with the same start, and one that was seen saying the same
// later; and what holds the tx at which one of these was seen last.
// params: arriving
// columns: source_key, tx, valid_from, valid_to, valid_from_rule, text_sha256, corrects_tx, override_only, competes, observed_at, observed_from, removal
// access: read
UNWIND $arriving AS r
CALL (r) {
  MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
  RETURN v
  UNION
  MATCH (v:SourceVersion)
  WHERE v.source_key = r.source_key AND v.tx < r.tx AND v.override_only = false
  WITH v ORDER BY v.source_key DESC, v.tx DESC LIMIT 1
  RETURN v
  UNION
  MATCH (v:SourceVersion)
  USING INDEX v:SourceVersion(source_key, valid_from, tx)
  WHERE v.source_key = r.source_key AND v.valid_from = r.valid_from AND v.tx >= 0 AND v.competes
  WITH v ORDER BY v.source_key DESC, v.valid_from DESC, v.tx DESC LIMIT 1
  RETURN v
  UNION
  MATCH (v:SourceVersion)
  USING INDEX v:SourceVersion(source_key, valid_from, tx)
  WHERE v.source_key = r.source_key AND v.valid_from = r.valid_from AND v.tx >= 0
    AND v.valid_to = r.valid_to AND v.text_sha256 = r.text_sha256 AND v.observed_at >= r.tx
    AND v.override_only = false
  WITH v ORDER BY v.tx DESC LIMIT 1
  RETURN v
}
WITH DISTINCT v
CALL (v) {
  RETURN v AS near
  UNION
  MATCH (near:SourceVersion {source_key: v.source_key, tx: v.observed_at})
  RETURN near
}
WITH DISTINCT near AS v
RETURN v.source_key AS source_key, v.tx AS tx, v.valid_from AS valid_from, v.valid_to AS valid_to,
       v.valid_from_rule AS valid_from_rule, v.text_sha256 AS text_sha256,
       v.corrects_tx AS corrects_tx, v.override_only AS override_only, v.competes AS competes,
       v.observed_at AS observed_at, v.observed_from AS observed_from, v.removal AS removal
