// Lock the tenant's counter, created where it is new, and read how many answers are live.
// params: tenant, token
// columns: answers_live
// access: write
MERGE (n:Tenant {tenant: $tenant})
  ON CREATE SET n.answers_live = 0
SET n.locked_by = $token
WITH n
RETURN n.answers_live AS answers_live
