// Keep the result of a request, in the transaction of its effect.
// params: tenant, operation, request_id, result_json
// columns: none
// access: write
MATCH (r:Request {tenant: $tenant, operation: $operation, request_id: $request_id})
SET r.result_json = $result_json
