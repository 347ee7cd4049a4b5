// Note that an answer is to be refreshed under a new id, and queue the work.
// params: tenant, answer_id, new_answer_id, job_id, actor, now, run_at
// columns: none
// access: write
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
CREATE (:Refresh {
  tenant: $tenant, new_answer_id: $new_answer_id, open_for: $answer_id, state: 'open',
  requested_by: $actor, recorded_at: $now
})-[:OF]->(a)
CREATE (:Job {tenant: $tenant, job_id: $job_id, kind: 'refresh:answer', audience: 'internal',
              state: 'open', why: 'asked', ids: [$new_answer_id], run_at: $run_at, attempts: 0,
              created_at: $now})
