// Heads equal the newest versions
// An answer's properties and its newest version say the same (checked_at, recheck_due_at and what
// else a check notes on the head alone apart); versions are numbered from 1 without gap, each
// linked to the one before it, in order of recording.
// invariant: yes
:param tenant => 'default';
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.answer_id > ''
CALL (a) {
  OPTIONAL MATCH (v:AnswerVersion)
  WHERE v.tenant = a.tenant AND v.answer_id = a.answer_id AND v.seq >= 1
  WITH v, COLLECT { MATCH (v)-[:PREVIOUS]->(older) RETURN older } AS older
  RETURN count(v) AS versions, max(v.seq) AS newest,
         [seq IN collect(CASE WHEN v.seq = 1 AND older = [] THEN null
                              WHEN size(older) = 1 AND older[0].answer_id = v.answer_id
                               AND older[0].seq = v.seq - 1
                               AND older[0].recorded_at <= v.recorded_at THEN null
                              ELSE v.seq END) | 'version ' + seq + ' does not follow its predecessor']
         AS unlinked
}
WITH a, versions, newest, unlinked, COLLECT { MATCH (a)-[:HEAD]->(h:AnswerVersion) RETURN h } AS heads
WITH a, heads, unlinked,
     CASE WHEN size(heads) = 1 THEN [] ELSE [size(heads) + ' heads'] END
     + CASE WHEN versions = newest AND a.seq = newest THEN []
            ELSE ['seq ' + a.seq + ', but ' + versions + ' versions up to ' + newest] END
     + CASE WHEN heads[0].seq = a.seq AND heads[0].answer_id = a.answer_id
             AND heads[0].recorded_at = a.changed_at THEN []
            ELSE ['the head is not its newest version'] END
     + [name IN ['status', 'severity', 'claims_json', 'claim_states', 'caveats', 'deleted_at']
        WHERE (a[name] IS NULL) <> (heads[0][name] IS NULL)
           OR coalesce(a[name] <> heads[0][name], false) | name + ' differs'] AS head_problems
WITH a, heads, head_problems + unlinked AS problems
WHERE problems <> []
RETURN a.answer_id AS answer_id, a.seq AS seq, problems,
       COLLECT { MATCH head = (a)-[:HEAD]->(:AnswerVersion) RETURN head } AS paths
ORDER BY answer_id;
