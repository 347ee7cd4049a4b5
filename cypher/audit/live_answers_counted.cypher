// Live answers counted
// The tenant's counter, on which the cap of saved answers rests, is the number of answers that are
// not deleted; exactly those hold their trace, so that no second one can be saved.
// invariant: yes
:param tenant => 'default';
OPTIONAL MATCH (n:Tenant {tenant: $tenant})
CALL () {
  MATCH (a:SAVED_ANSWER)
  WHERE a.tenant = $tenant AND a.answer_id > ''
  RETURN count(CASE WHEN a.deleted_at IS NULL THEN 1 END) AS live,
         collect(CASE WHEN a.deleted_at IS NULL AND coalesce(a.live_trace <> a.trace_id, true)
                        OR a.deleted_at IS NOT NULL AND a.live_trace IS NOT NULL
                      THEN a.answer_id END) AS misheld
}
WITH coalesce(n.answers_live, 0) AS counted, live, misheld
WHERE counted <> live OR misheld <> []
RETURN counted, live, misheld;
