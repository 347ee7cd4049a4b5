// How far the settable clock of a local or test stack stands ahead of the real one; 0 where it was never set.
// params: none
// columns: offset_us
// access: read
// tenant: all — one clock for the whole stack
OPTIONAL MATCH (c:Clock {tenant: '*'})
RETURN coalesce(c.offset_us, 0) AS offset_us
