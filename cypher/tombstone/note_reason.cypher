// Keep the reason that a steward gave for withdrawing a version.
// params: source_key, tx, reason
// columns: none
// access: write
MATCH (v:SourceVersion {source_key: $source_key, tx: $tx})
SET v.removal_reason = $reason
