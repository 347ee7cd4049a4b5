// Lock sources in the given order, each created where it is new, and read their counters.
// params: tenant, rows, token
// columns: source_key, tiles_seq, last_tx, last_recorded_at
// access: write
UNWIND $rows AS r
MERGE (s:Source {source_key: r.source_key})
  ON CREATE SET s.tenant = $tenant, s.source_id = r.source_id,
                s.tiles_seq = 0, s.last_tx = -1, s.last_recorded_at = -1
SET s.locked_by = $token
WITH s
RETURN s.source_key AS source_key, s.tiles_seq AS tiles_seq, s.last_tx AS last_tx,
       s.last_recorded_at AS last_recorded_at
