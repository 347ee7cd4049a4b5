// Refreshes: at most one open for an answer. Every statement may run again.
CREATE CONSTRAINT telha_refresh_tenant_new_answer_id_key IF NOT EXISTS
FOR (n:Refresh) REQUIRE (n.tenant, n.new_answer_id) IS UNIQUE;
CREATE CONSTRAINT telha_refresh_tenant_open_for_key IF NOT EXISTS
FOR (n:Refresh) REQUIRE (n.tenant, n.open_for) IS UNIQUE;
