// Waits until every index of the database is online; fails where one failed, or after `seconds`.
// params: seconds
// columns: none
// access: read
// tenant: all — indexes belong to no tenant
CALL db.awaitIndexes($seconds)
