// Lock a tenant's day in the ledger, created where it is new, and reserve for a call what fits under the
// caps; no row where it does not.
// params: tenant, day, tokens, embeddings, most_tokens, most_embeddings, token
// columns: tokens, embeddings
// access: write
MERGE (n:Spend {tenant: $tenant, day: $day})
  ON CREATE SET n.tokens = 0, n.embeddings = 0, n.cost_micros = 0
SET n.locked_by = $token
WITH n
WHERE n.tokens + $tokens <= $most_tokens AND n.embeddings + $embeddings <= $most_embeddings
SET n.tokens = n.tokens + $tokens, n.embeddings = n.embeddings + $embeddings
RETURN n.tokens AS tokens, n.embeddings AS embeddings
