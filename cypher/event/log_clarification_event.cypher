// Log what a person did to a locked clarification; its source, which is not locked, is left alone.
// params: tenant, event_id, kind, at, actor, clarification_id, outcomes
// columns: none
// access: write
MATCH (c:Clarification {tenant: $tenant, clarification_id: $clarification_id})
MERGE (e:AuditEvent {tenant: $tenant, event_id: $event_id})
  ON CREATE SET e.kind = $kind, e.at = $at, e.actor = $actor, e.outcomes = $outcomes
MERGE (e)-[:ON]->(c)
