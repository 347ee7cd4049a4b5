// Raise the counters of locked sources and write the change that each raise stands for.
// params: rows
// columns: seq
// access: write
UNWIND $rows AS r
MATCH (s:Source {source_key: r.source_key})
SET s.tiles_seq = s.tiles_seq + 1, s.last_tx = r.last_tx, s.last_recorded_at = r.recorded_at,
    s.unindexed_since = coalesce(s.unindexed_since, r.recorded_at)
CREATE (c:Change {
  tenant: s.tenant, change_id: r.change_id, state: 'open', target_key: s.source_key,
  seq: s.tiles_seq, what: r.what, tx: r.tx, recorded_at: r.recorded_at
})-[:CHANGED]->(s)
RETURN c.seq AS seq
