// Read the first result of a request, if it took effect.
// params: tenant, operation, request_id
// columns: digest, result_json
// access: read
MATCH (r:Request {tenant: $tenant, operation: $operation, request_id: $request_id})
RETURN r.digest AS digest, r.result_json AS result_json
