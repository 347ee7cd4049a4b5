"""Queries of the settable clock: ``cypher/clock``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class ClockOffset:
    """How far the stack's settable clock stands ahead of the real one, in µs (DESIGN §4)."""

    offset_us: int


READ_OFFSET = Query("clock/read_offset", ClockOffset)
SET_OFFSET = Query("clock/set_offset", Nothing)
