// Note a completed check on the heads of locked answers of which nothing changed.
// params: tenant, rows
// columns: none
// access: write
UNWIND $rows AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})
SET a.checked_at = r.checked_at, a.recheck_due_at = r.recheck_due_at, a.expires_at = r.expires_at,
    a.checked_through = r.checked_through, a.checked_seqs = r.seqs, a.failures = r.failures
