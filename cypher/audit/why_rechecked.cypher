// Why an answer was re-checked, and why not
// One row for each change of what it rests on since its trace was taken in, each job that no change
// caused (first, due, asked), and each check with its outcome; the newest first. A change was
// `checked` (a fire tells when), or led to no check: `covered` (the first check had read it),
// `deleted`, `superseded`, `still open` (not followed yet), `waiting`, `parked`. `lost` is a fault.
:param tenant => 'default';
:param answer_id => '00000000-0000-0000-0000-000000000000';
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[:PINS]->(t:Trace)
WITH a, t,
     COLLECT { MATCH (t)-[:MAKES]->(:Claim)-[:CITES]->(:SourceVersion)-[:VERSION_OF]->(s:Source)
               RETURN DISTINCT s ORDER BY s.source_id }
     + COLLECT { MATCH (t)-[:MAKES]->(:Claim)-[:PENDING_ON]->(k:Clarification)
                 RETURN DISTINCT k ORDER BY k.clarification_id } AS targets
CALL (a, t, targets) {
  UNWIND range(0, size(targets) - 1) AS idx
  WITH idx, targets[idx] AS target
  MATCH change = (c:Change)-[:CHANGED]->(target)
  WHERE c.target_key = coalesce(target.target_key, target.source_key) AND c.seq >= 1
    AND c.recorded_at >= t.recorded_at
  OPTIONAL MATCH fire = (f:WatchFire {tenant: $tenant, fire_id: c.change_id + '/' + a.answer_id})-[:BECAUSE]->(c)
  OPTIONAL MATCH job = (j:Job)-[:BECAUSE]->(c) WHERE a.answer_id IN j.ids
  RETURN c.recorded_at AS at, 'change' AS kind, c.what AS what,
         coalesce(target.clarification_id, target.source_id) AS target, c.seq AS seq, c.tx AS tx,
         CASE WHEN f IS NOT NULL THEN 'checked'
              WHEN a.checked_seqs[idx] >= c.seq THEN 'covered'
              WHEN a.deleted_at IS NOT NULL THEN 'deleted'
              WHEN a.status = 'superseded' THEN 'superseded'
              WHEN c.state = 'open' THEN 'still open'
              WHEN j.state = 'open' OR a.checked_seqs IS NULL THEN 'waiting'
              WHEN j.state = 'parked' THEN 'parked'
              ELSE 'lost' END AS outcome,
         f.recorded_at AS checked_at, j.job_id AS job_id, change, fire, job
  UNION ALL
  MATCH (j:Job)
  WHERE j.tenant = $tenant AND j.job_id > '' AND j.why IN ['first', 'due', 'asked']
    AND a.answer_id IN j.ids
  RETURN j.created_at AS at, 'job' AS kind, j.why AS what, null AS target, null AS seq, null AS tx,
         CASE j.state WHEN 'open' THEN 'waiting' ELSE j.state END AS outcome,
         null AS checked_at, j.job_id AS job_id, null AS change, null AS fire, null AS job
  UNION ALL
  MATCH (e:AuditEvent)
  WHERE e.tenant = $tenant AND e.at >= t.recorded_at AND e.kind = 'answer.checked'
    AND a.answer_id IN e.answers
  RETURN e.at AS at, 'check' AS kind, null AS what, null AS target, null AS seq, null AS tx,
         [i IN range(0, size(e.answers) - 1)
          WHERE e.answers[i] = a.answer_id | e.outcomes[i]][0] AS outcome,
         e.at AS checked_at, null AS job_id, null AS change, null AS fire, null AS job
}
RETURN toString(datetime({epochMillis: at / 1000})) AS time, at, kind, what, target, seq, tx,
       outcome, checked_at, job_id, change, fire, job
ORDER BY at DESC, kind, target, seq DESC;
