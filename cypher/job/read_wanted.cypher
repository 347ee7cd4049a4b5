// Read which answers of a job still want its check: a change is not covered yet, none was made yet,
// or the last is older than the job.
// params: tenant, job_id
// columns: answer_ids
// access: read
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
UNWIND j.ids AS id
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: id})
WHERE a.deleted_at IS NULL AND a.status <> 'superseded'
  AND CASE j.why
        WHEN 'first' THEN a.checked_at IS NULL
        WHEN 'due' THEN a.recheck_due_at = j.due_until
        WHEN 'change' THEN EXISTS {
          MATCH (j)-[:BECAUSE]->(c:Change)
          MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
          WHERE coalesce(t.target_key, t.source_key) = c.target_key
            AND (a.checked_seqs IS NULL OR a.checked_seqs[x.idx] < c.seq) }
        ELSE true
      END
WITH a.answer_id AS answer_id ORDER BY answer_id
RETURN collect(answer_id) AS answer_ids
