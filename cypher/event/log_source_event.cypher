// Log what a person did to a locked source.
// params: tenant, event_id, kind, at, actor, source_key, outcomes
// columns: none
// access: write
MATCH (s:Source {source_key: $source_key})
MERGE (e:AuditEvent {tenant: $tenant, event_id: $event_id})
  ON CREATE SET e.kind = $kind, e.at = $at, e.actor = $actor, e.outcomes = $outcomes
MERGE (e)-[:ON]->(s)
