// Candidates equal their definition
// A version competes unless it is an override's own text, withdrawn or cascaded, or corrected: any
// standing correction that names it displaces it, and of several that name the same version only
// the one with the greatest tx competes. One removed for retention or erasure still counts.
// invariant: yes
:param tenant => 'default';
MATCH (s:Source)
WHERE s.tenant = $tenant AND s.source_id > ''
MATCH version = (s)<-[:VERSION_OF]-(v:SourceVersion)
OPTIONAL MATCH (corrected:SourceVersion {source_key: v.source_key, tx: v.corrects_tx})
WITH s, v, version, corrected,
     EXISTS { (v)<-[:CORRECTS]-(k:SourceVersion)
              WHERE k.removal IS NULL OR k.removal IN ['retention', 'erasure'] } AS displaced,
     EXISTS { (v)-[:CORRECTS]->(:SourceVersion)<-[:CORRECTS]-(k:SourceVersion)
              WHERE k.tx > v.tx AND (k.removal IS NULL OR k.removal IN ['retention', 'erasure']) } AS outdone,
     COLLECT { MATCH (v)-[:CORRECTS]->(c) RETURN c } AS corrects
WITH s, v, version,
     NOT v.override_only AND (v.removal IS NULL OR v.removal IN ['retention', 'erasure'])
     AND NOT displaced AND NOT outdone AS should_compete,
     corrects = CASE WHEN corrected IS NULL THEN [] ELSE [corrected] END
     AND (v.corrects_tx IS NULL) = (corrected IS NULL) AS linked
WHERE v.competes <> should_compete OR NOT linked
RETURN s.source_id AS source_id, v.tx AS tx, v.competes AS competes, should_compete,
       v.corrects_tx AS corrects_tx, linked AS correction_linked, v.removal AS removal, version
ORDER BY source_id, tx;
