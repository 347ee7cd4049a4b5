// Read the override of a source at a tx.
// params: source_key, tx
// columns: override_id, tx, bound_tx, valid_from, valid_to, released_at, own_sha256, reason
// access: read
MATCH (o:Override {source_key: $source_key, tx: $tx})
OPTIONAL MATCH (own:SourceVersion {source_key: $source_key, tx: $tx})
RETURN o.override_id AS override_id, o.tx AS tx, o.bound_tx AS bound_tx,
       o.valid_from AS valid_from, o.valid_to AS valid_to, o.released_at AS released_at,
       own.text_sha256 AS own_sha256, o.reason AS reason
