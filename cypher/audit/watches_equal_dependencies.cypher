// Watches equal dependencies
// A live answer has one watch, over exactly what its trace rests on: cited sources by id, then
// pending clarifications by id, numbered from 0. The seqs that its last check compared are as many,
// and none is ahead of its target. The watch of a deleted or superseded answer is detached.
// invariant: yes
:param tenant => 'default';
MATCH (a:SAVED_ANSWER)
WHERE a.tenant = $tenant AND a.answer_id > ''
WITH a, a.deleted_at IS NOT NULL OR a.status = 'superseded' AS gone
CALL (a) {
  OPTIONAL MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
  WITH x, t ORDER BY x.idx
  RETURN collect(x.idx) AS places, collect(coalesce(t.target_key, t.source_key)) AS watched,
         collect(coalesce(t.tiles_seq, t.seq)) AS seqs
}
WITH a, gone, places, watched, seqs, COUNT { (a)<-[:FOR]-(w:Watch) WHERE w.detached_at IS NULL } AS watches,
     CASE WHEN gone THEN [] ELSE
       COLLECT { MATCH (a)-[:PINS]->(:Trace)-[:MAKES]->(:Claim)-[:CITES]->(:SourceVersion)-[:VERSION_OF]->(s:Source)
                 WITH DISTINCT s ORDER BY s.source_id RETURN s.source_key }
       + COLLECT { MATCH (a)-[:PINS]->(:Trace)-[:MAKES]->(:Claim)-[:PENDING_ON]->(k:Clarification)
                   WITH DISTINCT k ORDER BY k.clarification_id RETURN k.target_key } END AS wanted
WITH a, [key IN wanted WHERE NOT key IN watched] AS missing,
     [key IN watched WHERE NOT key IN wanted] AS needless,
     CASE WHEN watches = CASE WHEN gone THEN 0 ELSE 1 END THEN []
          ELSE [watches + ' watches'] END
     + CASE WHEN watched = wanted AND places = range(0, size(wanted) - 1) THEN []
            ELSE ['not numbered as its dependencies are'] END
     + CASE WHEN gone OR a.checked_seqs IS NULL
              OR size(a.checked_seqs) = size(seqs)
             AND all(i IN range(0, size(seqs) - 1) WHERE a.checked_seqs[i] <= seqs[i]) THEN []
            ELSE ['checked_seqs do not fit its targets'] END AS problems
WHERE missing <> [] OR needless <> [] OR problems <> []
RETURN a.answer_id AS answer_id, missing, needless, problems,
       COLLECT { MATCH watch = (a)<-[:FOR]-(:Watch)-[:WATCHES]->() RETURN watch } AS paths
ORDER BY answer_id;
