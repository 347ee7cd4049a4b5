// Tell whether one answer came to supersede another, over any number of refreshes.
// params: tenant, old_answer_id, new_answer_id
// columns: old_trace_id, new_trace_id, linked
// access: read
MATCH (old:SAVED_ANSWER {tenant: $tenant, answer_id: $old_answer_id})
MATCH (new:SAVED_ANSWER {tenant: $tenant, answer_id: $new_answer_id})
RETURN old.trace_id AS old_trace_id, new.trace_id AS new_trace_id,
       EXISTS { (new)-[:SUPERSEDES*1..]->(old) } AS linked
