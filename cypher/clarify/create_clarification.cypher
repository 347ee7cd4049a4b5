// Create a clarification about a source, before its first state, for who locks it then; no row for an
// unknown source.
// params: tenant, clarification_id, source_key, target_key, question
// columns: source_id
// access: write
MATCH (s:Source {source_key: $source_key})
MERGE (c:Clarification {tenant: $tenant, clarification_id: $clarification_id})
  ON CREATE SET c.source_id = s.source_id, c.question = $question, c.seq = 0,
                c.target_key = $target_key,
                c.last_recorded_at = -1
MERGE (c)-[:ABOUT]->(s)
RETURN c.source_id AS source_id
