// Write what moved on versions that were there before: standing, observation, tombstone.
// params: source_key, recorded_at, versions
// columns: none
// access: write
UNWIND $versions AS r
MATCH (v:SourceVersion {source_key: $source_key, tx: r.tx})
SET v.competes = r.competes, v.observed_at = r.observed_at, v.observed_from = r.observed_from,
    v.tombstoned_at = CASE WHEN r.removal IS NULL THEN null
                           ELSE coalesce(v.tombstoned_at, $recorded_at) END,
    v.removal = r.removal
