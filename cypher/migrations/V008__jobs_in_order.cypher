// Jobs that wait are in the order in which they were queued. Every statement may run again.
CREATE INDEX telha_job_state_tenant_run_at_created_at_index IF NOT EXISTS
FOR (n:Job) ON (n.state, n.tenant, n.run_at, n.created_at);
DROP INDEX telha_job_state_tenant_run_at_index IF EXISTS;
