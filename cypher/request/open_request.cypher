// Claim a request id within a tenant and operation; a second caller waits, then sees the first's.
// params: tenant, operation, request_id, digest, recorded_at
// columns: digest, result_json
// access: write
MERGE (r:Request {tenant: $tenant, operation: $operation, request_id: $request_id})
  ON CREATE SET r.digest = $digest, r.recorded_at = $recorded_at
RETURN r.digest AS digest, r.result_json AS result_json
