// Read which of some sources a tenant has.
// params: source_keys
// columns: source_id
// access: read
UNWIND $source_keys AS key
MATCH (s:Source {source_key: key})
RETURN s.source_id AS source_id
