// Lock a source that must exist, and read its counters; no row where it does not.
// params: source_key, token
// columns: source_key, tiles_seq, last_tx, last_recorded_at
// access: write
MATCH (s:Source {source_key: $source_key})
SET s.locked_by = $token
WITH s
RETURN s.source_key AS source_key, s.tiles_seq AS tiles_seq, s.last_tx AS last_tx,
       s.last_recorded_at AS last_recorded_at
