// Which of our indexes are not online yet, or failed.
// params: none
// columns: name
// access: read
// tenant: all — indexes belong to no tenant
SHOW INDEXES YIELD name, state
WHERE name STARTS WITH 'telha_' AND state <> 'ONLINE'
RETURN name ORDER BY name
