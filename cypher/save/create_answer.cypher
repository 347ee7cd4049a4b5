// Create an answer over a trace: its first version, its watch over all that the trace rests on,
// and the first check.
// params: tenant, trace_id, answer_id, question, draft, title, created_by_person, created_by_key, time_basis_json, status, claims_json, claim_states, caveats, saved_at, recheck_due_at, watch_id, job_id, run_at
// columns: targets
// access: write
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})
MATCH (n:Tenant {tenant: $tenant})
SET n.answers_live = n.answers_live + 1
CREATE (a:SAVED_ANSWER {
  tenant: $tenant, answer_id: $answer_id, trace_id: $trace_id, live_trace: $trace_id,
  question: $question, draft: $draft, title: $title,
  created_by_person: $created_by_person, created_by_key: $created_by_key,
  time_basis_json: $time_basis_json, status: $status, claims_json: $claims_json,
  claim_states: $claim_states, caveats: $caveats, seq: 1, saved_at: $saved_at, changed_at: $saved_at,
  recheck_due_at: $recheck_due_at, emit_number: 0, emitted_seq: 1, suppressed_run: 0, failures: 0
})-[:PINS]->(t)
CREATE (a)-[:HEAD]->(:AnswerVersion {
  tenant: $tenant, answer_id: $answer_id, seq: 1, status: $status, claims_json: $claims_json,
  claim_states: $claim_states, caveats: $caveats, recorded_at: $saved_at, why: 'saved'
})
CREATE (w:Watch {tenant: $tenant, watch_id: $watch_id, job_kind: 'check:answer', answer_id: $answer_id})
       -[:FOR]->(a)
CREATE (:Job {tenant: $tenant, job_id: $job_id, kind: 'check:answer', audience: 'internal',
              state: 'open', why: 'first', ids: [$answer_id], run_at: $run_at, attempts: 0,
              created_at: $saved_at})
WITH t, w
WITH w,
     COLLECT { MATCH (t)-[:MAKES]->(:Claim)-[:CITES]->(:SourceVersion)-[:VERSION_OF]->(s:Source)
               RETURN DISTINCT s ORDER BY s.source_id }
     + COLLECT { MATCH (t)-[:MAKES]->(:Claim)-[:PENDING_ON]->(k:Clarification)
                 RETURN DISTINCT k ORDER BY k.clarification_id } AS targets
FOREACH (i IN range(0, size(targets) - 1) |
  FOREACH (target IN [targets[i]] | CREATE (w)-[:WATCHES {idx: i}]->(target)))
RETURN size(targets) AS targets
