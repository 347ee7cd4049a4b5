// Raise the counters of a locked source and write the change that the raise stands for.
// params: source_key, change_id, what, tx, last_tx, recorded_at
// columns: seq
// access: write
MATCH (s:Source {source_key: $source_key})
SET s.tiles_seq = s.tiles_seq + 1, s.last_tx = $last_tx, s.last_recorded_at = $recorded_at
CREATE (c:Change {
  tenant: s.tenant, change_id: $change_id, state: 'open', target_key: s.source_key,
  seq: s.tiles_seq, what: $what, tx: $tx, recorded_at: $recorded_at
})-[:CHANGED]->(s)
RETURN s.tiles_seq AS seq
