// Tombstone all versions of a locked source for good; what won is kept as WON.
// params: source_key, recorded_at, reason
// columns: tombstoned
// access: write
MATCH (s:Source {source_key: $source_key})
CALL () {
  MATCH (v:SourceVersion)
  WHERE v.source_key = $source_key AND v.tx >= 0 AND v.removal IS NULL
  SET v.removal = 'cascade', v.tombstoned_at = $recorded_at, v.competes = false,
      v.removal_reason = $reason
  RETURN count(v) AS tombstoned
}
CALL (s) {
  MATCH (s)-[w:WINS]->(v:SourceVersion)
  WHERE w.source_key = $source_key
  CREATE (s)-[:WON {source_key: w.source_key, valid_from: w.valid_from, valid_to: w.valid_to,
                    tx_from: w.tx_from, tx_to: $recorded_at}]->(v)
  DELETE w
  RETURN count(*) AS moved
}
RETURN tombstoned
