// Emits and transitions
// Every event window was opened by a transition among the versions it covers, and every transition
// belongs to a window. Events of an answer are numbered from 1 without gap, and each one's `from`
// is the last one's `to`, at first the saved status.
// invariant: yes
:param tenant => 'default';
CALL () {
  MATCH (a:SAVED_ANSWER)
  WHERE a.tenant = $tenant AND a.answer_id > ''
  WITH a,
       COLLECT { MATCH (e:Emit)-[:ABOUT]->(a) RETURN e ORDER BY e.opened_seq } AS windows,
       COLLECT { MATCH (v:AnswerVersion)
                 WHERE v.tenant = a.tenant AND v.answer_id = a.answer_id AND v.seq >= 1
                 RETURN v ORDER BY v.seq } AS versions
  WITH a, windows, versions, [e IN windows WHERE e.state = 'emitted'] AS events
  WITH a, windows,
       [e IN windows
        WHERE NOT any(v IN versions WHERE v.emit_id = e.emit_id AND v.seq = e.opened_seq)
        | 'window ' + e.emit_id + ' was opened by no transition']
       + [e IN windows WHERE (e.state = 'open') <> coalesce(e.open_for = a.answer_id, false)
                          OR (e.state = 'emitted') <> (e.number IS NOT NULL)
        | 'window ' + e.emit_id + ' is not what its state says']
       + [v IN versions WHERE v.emit_id IS NOT NULL AND NOT any(e IN windows WHERE e.emit_id = v.emit_id)
        | 'version ' + v.seq + ' tells of a window that does not exist']
       + [i IN range(1, size(versions) - 1)
          WHERE versions[i].why = 'check' AND versions[i].emit_id IS NULL
            AND versions[i].status <> versions[i - 1].status
        | 'version ' + versions[i].seq + ' moved the status and belongs to no window']
       + [i IN range(0, size(events) - 1) WHERE events[i].number <> i + 1
        | 'event ' + events[i].number + ' is number ' + (i + 1)]
       + [i IN range(0, size(events) - 1)
          WHERE events[i].from_status <>
                CASE i WHEN 0 THEN versions[0].status ELSE events[i - 1].to_status END
        | 'event ' + events[i].number + ' does not go on from the one before']
       + CASE WHEN a.emit_number = size(events) THEN []
              ELSE ['emit_number ' + a.emit_number + ', but ' + size(events) + ' events'] END
       + [v IN versions WHERE v.seq = a.emitted_seq AND v.status <>
                              CASE WHEN events = [] THEN versions[0].status
                                   ELSE events[-1].to_status END
        | 'the version last reported is not what the last event said'] AS problems
  WHERE problems <> []
  RETURN a.answer_id AS answer_id, problems,
         COLLECT { MATCH window = (:Emit)-[:ABOUT]->(a) RETURN window } AS paths
  UNION ALL
  MATCH (e:Emit)
  WHERE e.tenant = $tenant AND e.emit_id > ''
    AND NOT EXISTS { (e)-[:ABOUT]->(a:SAVED_ANSWER) WHERE a.answer_id = e.answer_id }
  RETURN e.answer_id AS answer_id, ['window ' + e.emit_id + ' is about no answer'] AS problems,
         [] AS paths
}
RETURN answer_id, problems, paths
ORDER BY answer_id;
