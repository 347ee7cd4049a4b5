// Create a trace with its claims.
// params: tenant, trace_id, kind, question, draft, valid_time, tx_time, recorded_at, body_digest, claims
// columns: none
// access: write
CREATE (t:Trace {
  tenant: $tenant, trace_id: $trace_id, kind: $kind, question: $question, draft: $draft,
  valid_time: $valid_time, tx_time: $tx_time, recorded_at: $recorded_at, body_digest: $body_digest
})
WITH t
UNWIND $claims AS r
CREATE (t)-[:MAKES]->(:Claim {
  tenant: $tenant, trace_id: $trace_id, idx: r.idx, text: r.text, verdict: r.verdict,
  valid_time: r.valid_time, pinned_at: r.pinned_at
})
