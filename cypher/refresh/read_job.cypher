// Read the refresh that a job is for, with what its answer was asked; no row once it has ended.
// params: tenant, job_id
// columns: new_answer_id, answer_id, question, valid_time, source_ids, title, created_by_person, created_by_key, requested_by
// access: read
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
UNWIND j.ids AS id
MATCH (r:Refresh {tenant: $tenant, new_answer_id: id, state: 'open'})-[:OF]->(a:SAVED_ANSWER)
MATCH (a)-[:PINS]->(t:Trace)
RETURN r.new_answer_id AS new_answer_id, a.answer_id AS answer_id, a.question AS question,
       CASE WHEN t.valid_time <> t.tx_time THEN t.valid_time END AS valid_time,
       coalesce(t.source_ids, []) AS source_ids, a.title AS title,
       a.created_by_person AS created_by_person, a.created_by_key AS created_by_key,
       r.requested_by AS requested_by
