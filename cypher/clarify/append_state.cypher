// Append a state to a locked clarification and write the change that it stands for.
// params: tenant, clarification_id, state, text, bound_tx, recorded_at, created_by, change_id, target_key
// columns: seq
// access: write
MATCH (c:Clarification {tenant: $tenant, clarification_id: $clarification_id})
SET c.seq = c.seq + 1, c.state = $state, c.bound_tx = $bound_tx, c.last_recorded_at = $recorded_at
CREATE (c)-[:STATE]->(:ClarificationState {
  tenant: $tenant, clarification_id: $clarification_id, seq: c.seq, state: $state, text: $text,
  bound_tx: $bound_tx, recorded_at: $recorded_at, created_by: $created_by
})
CREATE (change:Change {
  tenant: $tenant, change_id: $change_id, state: 'open', target_key: $target_key,
  seq: c.seq, what: 'clarification_' + $state, tx: $bound_tx, recorded_at: $recorded_at
})-[:CHANGED]->(c)
RETURN c.seq AS seq
