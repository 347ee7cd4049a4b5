// Count what a tenant still has to do: changes, jobs, windows and answers that are due.
// params: tenant, now
// columns: open_changes, open_jobs, parked_jobs, open_windows, due_answers, oldest_change_at
// access: read
RETURN COUNT { MATCH (c:Change) WHERE c.state = 'open' AND c.tenant = $tenant AND c.recorded_at >= 0 }
         AS open_changes,
       COUNT { MATCH (j:Job) WHERE j.state = 'open' AND j.tenant = $tenant AND j.run_at >= 0 }
         AS open_jobs,
       COUNT { MATCH (p:Job) WHERE p.state = 'parked' AND p.tenant = $tenant AND p.run_at >= 0 }
         AS parked_jobs,
       COUNT { MATCH (e:Emit) WHERE e.state = 'open' AND e.tenant = $tenant AND e.due_at >= 0 }
         AS open_windows,
       COUNT { MATCH (a:SAVED_ANSWER) WHERE a.tenant = $tenant AND a.recheck_due_at <= $now }
         AS due_answers,
       COLLECT { MATCH (o:Change) WHERE o.state = 'open' AND o.tenant = $tenant AND o.recorded_at >= 0
                 RETURN o.recorded_at ORDER BY o.state, o.tenant, o.recorded_at LIMIT 1 }[0]
         AS oldest_change_at
