// Required properties
// Nodes and relationships that lack a property which they must have; Community has no constraint
// for that. What lacks its own key is in no index and is found through what it is tied to.
// invariant: yes
:param tenant => 'default';
CALL () {
  MATCH (n:Tenant) WHERE n.tenant = $tenant RETURN n
  UNION ALL
  MATCH (n:Source) WHERE n.tenant = $tenant AND n.source_id > '' RETURN n
  UNION ALL
  MATCH (n:Chunk) WHERE n.tenant = $tenant AND n.text_sha256 > '' RETURN n
  UNION ALL
  MATCH (n:ChunkIndex) WHERE n.tenant = $tenant RETURN n
  UNION ALL
  MATCH (n:Spend) WHERE n.tenant = $tenant AND n.day >= 0 RETURN n
  UNION ALL
  MATCH (n:Override) WHERE n.tenant = $tenant AND n.override_id > '' RETURN n
  UNION ALL
  MATCH (n:Clarification) WHERE n.tenant = $tenant AND n.clarification_id > '' RETURN n
  UNION ALL
  MATCH (n:Trace) WHERE n.tenant = $tenant AND n.trace_id > '' RETURN n
  UNION ALL
  MATCH (n:Claim) WHERE n.tenant = $tenant AND n.trace_id > '' AND n.idx >= 0 RETURN n
  UNION ALL
  MATCH (n:SAVED_ANSWER) WHERE n.tenant = $tenant AND n.answer_id > '' RETURN n
  UNION ALL
  MATCH (n:AnswerVersion) WHERE n.tenant = $tenant AND n.answer_id > '' AND n.seq >= 0 RETURN n
  UNION ALL
  MATCH (n:Watch) WHERE n.tenant = $tenant AND n.watch_id > '' RETURN n
  UNION ALL
  MATCH (n:Change) WHERE n.tenant = $tenant AND n.change_id > '' RETURN n
  UNION ALL
  MATCH (n:Job) WHERE n.tenant = $tenant AND n.job_id > '' RETURN n
  UNION ALL
  MATCH (n:WatchFire) WHERE n.tenant = $tenant AND n.fire_id > '' RETURN n
  UNION ALL
  MATCH (n:Emit) WHERE n.tenant = $tenant AND n.emit_id > '' RETURN n
  UNION ALL
  MATCH (n:Verification) WHERE n.tenant = $tenant AND n.digest > '' RETURN n
  UNION ALL
  MATCH (n:Refresh) WHERE n.tenant = $tenant AND n.new_answer_id > '' RETURN n
  UNION ALL
  MATCH (n:Request) WHERE n.tenant = $tenant AND n.operation > '' AND n.request_id > '' RETURN n
  UNION ALL
  MATCH (n:AuditEvent) WHERE n.tenant = $tenant AND n.at >= 0 RETURN n
}
CALL (n) {
  RETURN n AS node
  UNION
  MATCH (n)--(node)
  RETURN node
  UNION
  MATCH (n:Source)<-[:VERSION_OF]-(:SourceVersion)-[:HOLDS]->(node)
  RETURN node
}
WITH DISTINCT node
WITH node, labels(node)[0] AS label
WITH node, label, CASE label
  WHEN 'Tenant' THEN ['answers_live']
  WHEN 'Source' THEN ['source_key', 'source_id', 'tiles_seq', 'last_tx', 'last_recorded_at']
  WHEN 'SourceVersion' THEN
    ['source_key', 'source_id', 'tx', 'valid_from', 'valid_to', 'valid_from_rule', 'ends',
     'override_only', 'competes', 'observed_at', 'observed_from', 'recorded_at']
    + CASE WHEN node.ends THEN [] ELSE ['text_sha256', 'text'] END
    + CASE WHEN node.removal IS NULL THEN [] ELSE ['tombstoned_at'] END
  WHEN 'Chunk' THEN
    ['source_key', 'text_sha256', 'scope_key', 'text']
    + CASE WHEN node.embedded_by IS NULL THEN [] ELSE ['embedding', 'vector'] END
  WHEN 'ChunkIndex' THEN ['failures', 'paused_until', 'leased_until']
  WHEN 'Spend' THEN ['day', 'tokens', 'embeddings', 'cost_micros']
  WHEN 'Override' THEN
    ['override_id', 'source_key', 'tx', 'bound_tx', 'valid_from', 'valid_to', 'recorded_at']
  WHEN 'Clarification' THEN
    ['clarification_id', 'source_id', 'target_key', 'seq', 'state', 'question', 'last_recorded_at']
  WHEN 'ClarificationState' THEN ['clarification_id', 'seq', 'state', 'recorded_at']
  WHEN 'Trace' THEN
    ['trace_id', 'kind', 'question', 'draft', 'tx_time', 'recorded_at', 'body_digest']
  WHEN 'Claim' THEN ['trace_id', 'idx', 'text', 'verdict']
  WHEN 'SAVED_ANSWER' THEN
    ['answer_id', 'trace_id', 'question', 'draft', 'time_basis_json', 'status', 'claims_json',
     'claim_states', 'caveats', 'seq', 'saved_at', 'changed_at', 'emit_number', 'emitted_seq',
     'suppressed_run', 'failures']
    + CASE WHEN node.deleted_at IS NULL THEN ['live_trace'] ELSE [] END
    + CASE WHEN node.deleted_at IS NULL AND node.status <> 'superseded' THEN ['recheck_due_at'] ELSE [] END
    + CASE WHEN node.checked_at IS NULL THEN [] ELSE ['checked_seqs'] END
  WHEN 'AnswerVersion' THEN
    ['answer_id', 'seq', 'status', 'claims_json', 'claim_states', 'caveats', 'recorded_at', 'why']
  WHEN 'Watch' THEN ['watch_id', 'job_kind', 'answer_id']
  WHEN 'Change' THEN ['change_id', 'state', 'target_key', 'seq', 'what', 'recorded_at']
  WHEN 'Job' THEN
    ['job_id', 'kind', 'audience', 'state', 'ids', 'run_at', 'attempts', 'created_at']
  WHEN 'WatchFire' THEN ['fire_id', 'recorded_at']
  WHEN 'Emit' THEN
    ['emit_id', 'answer_id', 'state', 'opened_seq', 'opened_at', 'due_at', 'first_check']
    + CASE node.state WHEN 'open' THEN ['open_for'] ELSE ['closed_at'] END
    + CASE node.state
        WHEN 'emitted' THEN
          ['number', 'from_status', 'to_status', 'changed_claims', 'direction', 'flapping']
        ELSE [] END
  WHEN 'Verification' THEN
    ['digest', 'verdict', 'material', 'reasons', 'matcher_version', 'recorded_at']
  WHEN 'Refresh' THEN
    ['new_answer_id', 'state', 'recorded_at']
    + CASE node.state WHEN 'open' THEN ['open_for'] ELSE ['finished_at'] END
    + CASE node.state WHEN 'failed' THEN ['reason'] ELSE [] END
  WHEN 'Request' THEN ['operation', 'request_id', 'digest', 'recorded_at']
  WHEN 'AuditEvent' THEN ['event_id', 'kind', 'at', 'outcomes']
END AS required
CALL (node, label, required) {
  WITH CASE WHEN required IS NULL THEN ['a known label']
            ELSE [name IN ['tenant'] + required WHERE node[name] IS NULL] END AS missing
  WHERE missing <> []
  MATCH path = (node)
  RETURN label AS what, missing, path
  UNION ALL
  MATCH path = (node)-[r:WINS|WON|CITES|HOLDS|WATCHES|AFFECTED_BY]->()
  WITH path, r, CASE type(r)
    WHEN 'WINS' THEN ['source_key', 'valid_from', 'valid_to', 'tx_from']
    WHEN 'WON' THEN ['source_key', 'valid_from', 'valid_to', 'tx_from', 'tx_to']
    WHEN 'CITES' THEN ['start', 'end', 'quote_sha256']
    WHEN 'HOLDS' THEN ['start', 'end']
    ELSE ['idx'] END AS required_here
  WITH path, r, [name IN required_here WHERE r[name] IS NULL] AS missing
  WHERE missing <> []
  RETURN type(r) AS what, missing, path
}
RETURN what, missing, path
ORDER BY what;
