// Read one job whole.
// params: tenant, job_id
// columns: job_id, kind, why, state, audience, ids, run_at, attempts, reason, created_at, payload_json, changes
// access: read
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
RETURN j.job_id AS job_id, j.kind AS kind, j.why AS why, j.state AS state, j.audience AS audience,
       j.ids AS ids, j.run_at AS run_at, j.attempts AS attempts, j.reason AS reason,
       j.created_at AS created_at, j.payload_json AS payload_json,
       COLLECT { MATCH (j)-[:BECAUSE]->(c:Change) RETURN c.change_id } AS changes
