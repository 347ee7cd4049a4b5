// Lock a source, created where it is new, and read its counters.
// params: tenant, source_id, source_key, token
// columns: tiles_seq, last_tx, last_recorded_at
// access: write
MERGE (s:Source {source_key: $source_key})
  ON CREATE SET s.tenant = $tenant, s.source_id = $source_id,
                s.tiles_seq = 0, s.last_tx = -1, s.last_recorded_at = -1
SET s.locked_by = $token
WITH s
RETURN s.tiles_seq AS tiles_seq, s.last_tx AS last_tx, s.last_recorded_at AS last_recorded_at
