// Count what a tenant still has to do: changes, jobs, windows and answers that are due; in the order in
// which work moves on, so that what moves between two counts is in the later one.
// params: tenant, now
// columns: open_changes, open_jobs, parked_jobs, open_windows, due_answers, oldest_change_at
// access: read
CALL () {
  MATCH (c:Change) WHERE c.state = 'open' AND c.tenant = $tenant AND c.recorded_at >= 0
  RETURN count(c) AS open_changes, min(c.recorded_at) AS oldest_change_at
}
CALL (open_changes) {
  MATCH (j:Job)
  WHERE j.state = 'open' AND j.tenant = $tenant AND j.run_at >= 0 AND j.created_at >= 0
  RETURN count(j) AS open_jobs
}
CALL (open_jobs) {
  MATCH (p:Job)
  WHERE p.state = 'parked' AND p.tenant = $tenant AND p.run_at >= 0 AND p.created_at >= 0
  RETURN count(p) AS parked_jobs
}
CALL (parked_jobs) {
  MATCH (e:Emit) WHERE e.state = 'open' AND e.tenant = $tenant AND e.due_at >= 0
  RETURN count(e) AS open_windows
}
CALL (open_windows) {
  MATCH (a:SAVED_ANSWER) WHERE a.tenant = $tenant AND a.recheck_due_at <= $now
  RETURN count(a) AS due_answers
}
RETURN open_changes, open_jobs, parked_jobs, open_windows, due_answers, oldest_change_at
