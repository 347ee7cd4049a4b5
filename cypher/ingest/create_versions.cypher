// Create versions and ends of locked sources; a materialised observation takes its text from `copy_of`,
// and is born tombstoned where that one is.
// params: rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (s:Source {source_key: r.source_key})
OPTIONAL MATCH (original:SourceVersion {source_key: r.source_key, tx: r.copy_of})
CREATE (v:SourceVersion {
  tenant: s.tenant, source_key: s.source_key, source_id: s.source_id, tx: r.tx,
  valid_from: r.valid_from, valid_to: r.valid_to, valid_from_rule: r.valid_from_rule,
  text: coalesce(r.text, original.text), text_sha256: r.text_sha256, ends: r.ends,
  corrects_tx: r.corrects_tx, override_only: r.override_only, competes: r.competes,
  observed_at: r.observed_at, observed_from: r.observed_from, recorded_at: r.recorded_at,
  removal: r.removal, tombstoned_at: CASE WHEN r.removal IS NOT NULL THEN r.recorded_at END,
  origin: coalesce(r.origin, original.origin)
})-[:VERSION_OF]->(s)
