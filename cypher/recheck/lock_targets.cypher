// Lock the sources, then the clarifications, that some answers watch, then the answers, each by id:
// until the transaction ends nothing that a check of them reads can move.
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
CALL () {
  UNWIND $ids AS id
  MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: id})
  WITH a ORDER BY a.answer_id
  SET a.locked_by = $token
  RETURN count(a) AS answers
}
RETURN sources + clarifications + answers AS locked
