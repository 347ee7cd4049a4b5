// Lock sources in the given order; those that did not move since their seq was read wait no more, the others
// wait since they moved.
// params: rows, token
// columns: done
// access: write
UNWIND $rows AS r
MATCH (s:Source {source_key: r.source_key})
SET s.locked_by = $token
WITH s, r
SET s.unindexed_since = CASE WHEN s.tiles_seq = r.tiles_seq THEN null ELSE s.last_recorded_at END
RETURN sum(CASE WHEN s.unindexed_since IS NULL THEN 1 ELSE 0 END) AS done
