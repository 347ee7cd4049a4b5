// Tenant boundaries
// No relationship joins nodes of two tenants, and the key of a source begins with its tenant.
// invariant: yes
:param tenant => 'default';
CALL () {
  MATCH (n:Tenant) WHERE n.tenant = $tenant RETURN n
  UNION ALL
  MATCH (n:Source) WHERE n.tenant = $tenant AND n.source_id > '' RETURN n
  UNION ALL
  MATCH (n:Chunk) WHERE n.tenant = $tenant AND n.text_sha256 > '' RETURN n
  UNION ALL
  MATCH (n:Override) WHERE n.tenant = $tenant AND n.override_id > '' RETURN n
  UNION ALL
  MATCH (n:Clarification) WHERE n.tenant = $tenant AND n.clarification_id > '' RETURN n
  UNION ALL
  MATCH (n:Trace) WHERE n.tenant = $tenant AND n.trace_id > '' RETURN n
  UNION ALL
  MATCH (n:SAVED_ANSWER) WHERE n.tenant = $tenant AND n.answer_id > '' RETURN n
  UNION ALL
  MATCH (n:AnswerVersion) WHERE n.tenant = $tenant AND n.answer_id > '' AND n.seq >= 0 RETURN n
  UNION ALL
  MATCH (n:Watch) WHERE n.tenant = $tenant AND n.watch_id > '' RETURN n
  UNION ALL
  MATCH (n:Change) WHERE n.tenant = $tenant AND n.change_id > '' RETURN n
  UNION ALL
  MATCH (n:Job) WHERE n.tenant = $tenant AND n.job_id > '' RETURN n
  UNION ALL
  MATCH (n:WatchFire) WHERE n.tenant = $tenant AND n.fire_id > '' RETURN n
  UNION ALL
  MATCH (n:Emit) WHERE n.tenant = $tenant AND n.emit_id > '' RETURN n
  UNION ALL
  MATCH (n:Request) WHERE n.tenant = $tenant AND n.operation > '' AND n.request_id > '' RETURN n
  UNION ALL
  MATCH (n:AuditEvent) WHERE n.tenant = $tenant AND n.at >= 0 RETURN n
}
CALL (n) {
  RETURN n AS node
  UNION
  MATCH (n)--(node)
  RETURN node
  UNION
  MATCH (n:Source)<-[:VERSION_OF]-(:SourceVersion)-[:HOLDS]->(node)
  RETURN node
}
WITH DISTINCT node
CALL (node) {
  MATCH path = (node)-[r]-(other)
  WHERE node.tenant = $tenant AND coalesce(other.tenant, '') <> $tenant
  RETURN 'joins another tenant' AS problem, type(r) AS relationship, other.tenant AS other_tenant, path
  UNION ALL
  MATCH path = (node)
  WHERE node.tenant = $tenant
    AND ((node:Source OR node:SourceVersion) AND node.source_key <> $tenant + '\u001F' + node.source_id
         OR (node:Override OR node:Chunk) AND NOT node.source_key STARTS WITH $tenant + '\u001F')
  RETURN 'has the key of another source' AS problem, null AS relationship, null AS other_tenant, path
}
RETURN labels(node)[0] AS label, problem, relationship, other_tenant, path
ORDER BY label, problem, relationship;
