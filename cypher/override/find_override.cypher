// Find an override by its id.
// params: tenant, override_id
// columns: source_id, source_key, tx, bound_tx, valid_from, valid_to, released_at
// access: read
MATCH (o:Override {tenant: $tenant, override_id: $override_id})-[:OVERRIDES]->(s:Source)
RETURN s.source_id AS source_id, o.source_key AS source_key, o.tx AS tx, o.bound_tx AS bound_tx,
       o.valid_from AS valid_from, o.valid_to AS valid_to, o.released_at AS released_at
