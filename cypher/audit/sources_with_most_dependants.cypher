// Sources with most dependants
// On which sources do the most live answers rest? The first `limit`.
:param tenant => 'default';
:param limit => 20;
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
CALL (s) {
  MATCH (s)<-[:WATCHES]-(:Watch)-[:FOR]->(a:SAVED_ANSWER)
  WHERE a.deleted_at IS NULL AND a.status <> 'superseded'
  RETURN count(a) AS answers, count(CASE WHEN a.status <> 'current' THEN 1 END) AS not_current
}
WITH s, answers, not_current WHERE answers > 0
RETURN s.source_id AS source_id, answers, not_current, s.tiles_seq AS changes,
       COUNT { (s)<-[:VERSION_OF]-(:SourceVersion) } AS versions,
       COUNT { (s)-[:WINS]->(:SourceVersion) } AS tiles, s.last_tx AS last_tx,
       toString(datetime({epochMillis: s.last_recorded_at / 1000})) AS last_recorded
ORDER BY answers DESC, source_id LIMIT toInteger($limit);
