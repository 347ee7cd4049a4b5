// Wait for the migration lock and hold it until the transaction ends. A killed holder frees it.
// params: token
// columns: none
// access: write
// tenant: all — the schema belongs to no tenant
MERGE (l:MigrationLock {tenant: '*'})
SET l.locked_by = $token
