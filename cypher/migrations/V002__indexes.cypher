// What queries seek. Every statement may run again.
CREATE INDEX telha_source_version_source_key_valid_from_tx_index IF NOT EXISTS
FOR (n:SourceVersion) ON (n.source_key, n.valid_from, n.tx);
CREATE INDEX telha_source_version_source_key_corrects_tx_index IF NOT EXISTS
FOR (n:SourceVersion) ON (n.source_key, n.corrects_tx);
CREATE INDEX telha_override_source_key_valid_from_index IF NOT EXISTS
FOR (n:Override) ON (n.source_key, n.valid_from);
CREATE INDEX telha_saved_answer_tenant_recheck_due_at_index IF NOT EXISTS
FOR (n:SAVED_ANSWER) ON (n.tenant, n.recheck_due_at);
CREATE INDEX telha_saved_answer_tenant_status_index IF NOT EXISTS
FOR (n:SAVED_ANSWER) ON (n.tenant, n.status);
CREATE INDEX telha_change_state_tenant_recorded_at_index IF NOT EXISTS
FOR (n:Change) ON (n.state, n.tenant, n.recorded_at);
CREATE INDEX telha_job_state_tenant_run_at_index IF NOT EXISTS
FOR (n:Job) ON (n.state, n.tenant, n.run_at);
CREATE INDEX telha_emit_state_tenant_due_at_index IF NOT EXISTS
FOR (n:Emit) ON (n.state, n.tenant, n.due_at);
CREATE INDEX telha_audit_event_tenant_at_index IF NOT EXISTS
FOR (n:AuditEvent) ON (n.tenant, n.at);
CREATE INDEX telha_won_source_key_tx_from_index IF NOT EXISTS
FOR ()-[r:WON]-() ON (r.source_key, r.tx_from);
