// Wait until an index is online; fails where it failed, or after so many seconds.
// params: name, seconds
// columns: none
// access: read
// tenant: all — indexes belong to no tenant
CALL db.awaitIndex($name, $seconds)
