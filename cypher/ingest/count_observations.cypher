// Raise the newest tx of locked sources after an observation, which is no change.
// params: rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (s:Source {source_key: r.source_key})
SET s.last_tx = r.last_tx
