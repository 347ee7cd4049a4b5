// Lock a tenant's day in the ledger, and put what a call used in the place of what was reserved.
// params: tenant, day, tokens, embeddings, cost_micros, token
// columns: none
// access: write
MATCH (n:Spend {tenant: $tenant, day: $day})
SET n.locked_by = $token
WITH n
SET n.tokens = n.tokens + $tokens, n.embeddings = n.embeddings + $embeddings,
    n.cost_micros = n.cost_micros + $cost_micros
