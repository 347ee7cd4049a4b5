// The key that makes the migration lock one node, so that two first migrations meet.
// params: none
// columns: none
// access: write
// tenant: all — the schema belongs to no tenant
CREATE CONSTRAINT telha_migration_lock_key IF NOT EXISTS
FOR (n:MigrationLock) REQUIRE n.tenant IS UNIQUE
