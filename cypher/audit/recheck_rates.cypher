// Rates of re-checks
// How many re-checks from `from` until just before `until` (µs) were needless: they changed neither
// the answer nor the moment at which the clock may change it. And how many of the state changes
// that they found had been missed by the watch: a change was followed, but to no job for the answer,
// or the sweep (`due`) found what neither a change nor the clock had announced. One row a cause of
// the check, and `all`; first checks are no re-checks. `answers` and `paths` show what was missed.
:param tenant => 'default';
:param from => 1772323200000000;
:param until => 1772928000000000;
MATCH (e:AuditEvent)
WHERE e.tenant = $tenant AND e.at >= $from AND e.at < $until AND e.kind = 'answer.checked'
UNWIND range(0, size(e.answers) - 1) AS i
WITH e, e.answers[i] AS answer_id, split(e.outcomes[i], ', ') AS words
WHERE NOT 'first check' IN words
WITH e, answer_id, words, words[0] CONTAINS ' -> ' AS moved
CALL (e, answer_id, moved) {
  MATCH path = (:SAVED_ANSWER {tenant: $tenant, answer_id: answer_id})<-[:FOR]-(:Watch)<-[:OF]-(f:WatchFire)
               -[:BECAUSE]->(c:Change)
  WHERE moved AND f.recorded_at = e.at
  RETURN count(path) AS fires,
         collect(CASE WHEN f.change_state = 'done'
                       AND NOT EXISTS { (c)<-[:BECAUSE]-(j:Job) WHERE answer_id IN j.ids }
                      THEN path END) AS lost
}
WITH coalesce(e.why, 'not told') AS why, answer_id, words, moved, lost,
     moved AND (lost <> [] OR (e.why = 'due' AND fires = 0 AND NOT 'by the clock' IN words)) AS missed
UNWIND [why, 'all'] AS cause
WITH cause, count(*) AS checks,
     count(CASE WHEN moved THEN 1 END) AS state_changes,
     count(CASE WHEN 'unchanged' IN words AND NOT 'due moved' IN words THEN 1 END) AS needless,
     count(CASE WHEN missed THEN 1 END) AS watch_missed,
     collect(DISTINCT CASE WHEN missed THEN answer_id END) AS answers, collect(lost) AS paths
RETURN cause AS why, checks, needless, round(1.0 * needless / checks, 4) AS needless_rate,
       state_changes, watch_missed,
       CASE state_changes WHEN 0 THEN 0.0 ELSE round(1.0 * watch_missed / state_changes, 4) END
         AS watch_missed_rate,
       answers, reduce(all = [], each IN paths | all + each) AS paths
ORDER BY cause = 'all', cause;
