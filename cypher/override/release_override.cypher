// Release an override of a locked source.
// params: tenant, override_id, recorded_at, released_by
// columns: none
// access: write
MATCH (o:Override {tenant: $tenant, override_id: $override_id})
SET o.released_at = $recorded_at, o.released_by = $released_by
