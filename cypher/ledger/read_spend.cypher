// Read what a tenant used in the days from one on, the newest first.
// params: tenant, since, page
// columns: day, tokens, embeddings, cost_micros
// access: read
MATCH (n:Spend)
WHERE n.tenant = $tenant AND n.day >= $since
RETURN n.day AS day, n.tokens AS tokens, n.embeddings AS embeddings, n.cost_micros AS cost_micros
ORDER BY n.day DESC LIMIT $page
