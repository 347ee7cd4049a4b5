// Write what moved on versions that were there before: standing, observation, tombstone.
// params: rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (v:SourceVersion {source_key: r.source_key, tx: r.tx})
SET v.competes = r.competes, v.observed_at = r.observed_at, v.observed_from = r.observed_from,
    v.tombstoned_at = CASE WHEN r.removal IS NULL THEN null
                           ELSE coalesce(v.tombstoned_at, r.recorded_at) END,
    v.removal = r.removal
