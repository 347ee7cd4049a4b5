// What queries seek. The statement may run again.
CREATE INDEX telha_clarification_tenant_source_id_index IF NOT EXISTS
FOR (n:Clarification) ON (n.tenant, n.source_id);
