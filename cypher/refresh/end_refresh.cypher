// End a refresh: done, or failed for a reason.
// params: tenant, new_answer_id, state, reason, finished_at
// columns: none
// access: write
MATCH (r:Refresh {tenant: $tenant, new_answer_id: $new_answer_id, state: 'open'})
SET r.state = $state, r.reason = $reason, r.finished_at = $finished_at, r.open_for = null
