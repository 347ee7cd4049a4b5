// Raise the newest tx of a locked source after an observation, which is no change.
// params: source_key, last_tx
// columns: none
// access: write
MATCH (s:Source {source_key: $source_key})
SET s.last_tx = $last_tx
