// What may exist once. Every statement may run again.
CREATE CONSTRAINT telha_tenant_key IF NOT EXISTS
FOR (n:Tenant) REQUIRE (n.tenant) IS UNIQUE;
CREATE CONSTRAINT telha_clock_key IF NOT EXISTS
FOR (n:Clock) REQUIRE (n.tenant) IS UNIQUE;
CREATE CONSTRAINT telha_migration_lock_key IF NOT EXISTS
FOR (n:MigrationLock) REQUIRE (n.tenant) IS UNIQUE;
CREATE CONSTRAINT telha_source_key IF NOT EXISTS
FOR (n:Source) REQUIRE (n.source_key) IS UNIQUE;
CREATE CONSTRAINT telha_source_id_key IF NOT EXISTS
FOR (n:Source) REQUIRE (n.tenant, n.source_id) IS UNIQUE;
CREATE CONSTRAINT telha_source_version_source_key_tx_key IF NOT EXISTS
FOR (n:SourceVersion) REQUIRE (n.source_key, n.tx) IS UNIQUE;
CREATE CONSTRAINT telha_override_tenant_override_id_key IF NOT EXISTS
FOR (n:Override) REQUIRE (n.tenant, n.override_id) IS UNIQUE;
CREATE CONSTRAINT telha_override_source_key_tx_key IF NOT EXISTS
FOR (n:Override) REQUIRE (n.source_key, n.tx) IS UNIQUE;
CREATE CONSTRAINT telha_clarification_tenant_clarification_id_key IF NOT EXISTS
FOR (n:Clarification) REQUIRE (n.tenant, n.clarification_id) IS UNIQUE;
CREATE CONSTRAINT telha_clarification_state_tenant_clarification_id_seq_key IF NOT EXISTS
FOR (n:ClarificationState) REQUIRE (n.tenant, n.clarification_id, n.seq) IS UNIQUE;
CREATE CONSTRAINT telha_trace_tenant_trace_id_key IF NOT EXISTS
FOR (n:Trace) REQUIRE (n.tenant, n.trace_id) IS UNIQUE;
CREATE CONSTRAINT telha_claim_tenant_trace_id_idx_key IF NOT EXISTS
FOR (n:Claim) REQUIRE (n.tenant, n.trace_id, n.idx) IS UNIQUE;
CREATE CONSTRAINT telha_saved_answer_tenant_answer_id_key IF NOT EXISTS
FOR (n:SAVED_ANSWER) REQUIRE (n.tenant, n.answer_id) IS UNIQUE;
CREATE CONSTRAINT telha_saved_answer_tenant_live_trace_key IF NOT EXISTS
FOR (n:SAVED_ANSWER) REQUIRE (n.tenant, n.live_trace) IS UNIQUE;
CREATE CONSTRAINT telha_answer_version_tenant_answer_id_seq_key IF NOT EXISTS
FOR (n:AnswerVersion) REQUIRE (n.tenant, n.answer_id, n.seq) IS UNIQUE;
CREATE CONSTRAINT telha_watch_tenant_watch_id_key IF NOT EXISTS
FOR (n:Watch) REQUIRE (n.tenant, n.watch_id) IS UNIQUE;
CREATE CONSTRAINT telha_change_tenant_change_id_key IF NOT EXISTS
FOR (n:Change) REQUIRE (n.tenant, n.change_id) IS UNIQUE;
CREATE CONSTRAINT telha_change_target_key_seq_key IF NOT EXISTS
FOR (n:Change) REQUIRE (n.target_key, n.seq) IS UNIQUE;
CREATE CONSTRAINT telha_job_tenant_job_id_key IF NOT EXISTS
FOR (n:Job) REQUIRE (n.tenant, n.job_id) IS UNIQUE;
CREATE CONSTRAINT telha_watch_fire_tenant_fire_id_key IF NOT EXISTS
FOR (n:WatchFire) REQUIRE (n.tenant, n.fire_id) IS UNIQUE;
CREATE CONSTRAINT telha_emit_tenant_emit_id_key IF NOT EXISTS
FOR (n:Emit) REQUIRE (n.tenant, n.emit_id) IS UNIQUE;
CREATE CONSTRAINT telha_emit_tenant_open_for_key IF NOT EXISTS
FOR (n:Emit) REQUIRE (n.tenant, n.open_for) IS UNIQUE;
CREATE CONSTRAINT telha_request_tenant_operation_request_id_key IF NOT EXISTS
FOR (n:Request) REQUIRE (n.tenant, n.operation, n.request_id) IS UNIQUE;
CREATE CONSTRAINT telha_audit_event_tenant_event_id_key IF NOT EXISTS
FOR (n:AuditEvent) REQUIRE (n.tenant, n.event_id) IS UNIQUE;
CREATE CONSTRAINT telha_wins_source_key_valid_from_key IF NOT EXISTS
FOR ()-[r:WINS]-() REQUIRE (r.source_key, r.valid_from) IS UNIQUE;
