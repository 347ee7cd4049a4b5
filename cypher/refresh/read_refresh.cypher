// Read a refresh by the id of the answer that it makes.
// params: tenant, new_answer_id
// columns: new_answer_id, answer_id, state, reason, requested_by, recorded_at, finished_at
// access: read
MATCH (r:Refresh {tenant: $tenant, new_answer_id: $new_answer_id})-[:OF]->(a:SAVED_ANSWER)
RETURN r.new_answer_id AS new_answer_id, a.answer_id AS answer_id, r.state AS state,
       r.reason AS reason, r.requested_by AS requested_by, r.recorded_at AS recorded_at,
       r.finished_at AS finished_at
