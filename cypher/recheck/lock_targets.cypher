// Lock the sources, then the clarifications, that some answers watch, each kind by id.
// params: tenant, ids, token
// columns: locked
// access: write
CALL () {
  UNWIND $ids AS id
  MATCH (:SAVED_ANSWER {tenant: $tenant, answer_id: id})<-[:FOR]-(:Watch)-[:WATCHES]->(s:Source)
  WITH DISTINCT s ORDER BY s.source_key
  SET s.locked_by = $token
  RETURN count(s) AS sources
}
CALL () {
  UNWIND $ids AS id
  MATCH (:SAVED_ANSWER {tenant: $tenant, answer_id: id})<-[:FOR]-(:Watch)-[:WATCHES]->(k:Clarification)
  WITH DISTINCT k ORDER BY k.clarification_id
  SET k.locked_by = $token
  RETURN count(k) AS clarifications
}
RETURN sources + clarifications AS locked
