// Supersession chain
// All answers that one answer superseded or was superseded by, the newest first. `traces` lets
// Browser draw an answer that stands alone.
:param tenant => 'default';
:param answer_id => '00000000-0000-0000-0000-000000000000';
MATCH (:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[:SUPERSEDES*0..]-(a:SAVED_ANSWER)
WITH DISTINCT a
OPTIONAL MATCH link = (a)-[:SUPERSEDES]->(older:SAVED_ANSWER)
OPTIONAL MATCH trace = (a)-[:PINS]->(:Trace)
RETURN a.answer_id AS answer_id, older.answer_id AS supersedes, a.title AS title,
       a.status AS status, toString(datetime({epochMillis: a.saved_at / 1000})) AS saved,
       a.saved_at AS saved_at, a.deleted_at AS deleted_at, a.trace_id AS trace_id, link, trace
ORDER BY saved_at DESC, answer_id;
