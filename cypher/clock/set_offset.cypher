// Set how far the stack's settable clock stands ahead of the real one.
// params: offset_us
// columns: none
// access: write
// tenant: all — the clock belongs to the stack, its tenant is '*'
MERGE (c:Clock {tenant: '*'})
SET c.offset_us = $offset_us
