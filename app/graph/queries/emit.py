"""Queries of the step ``emit``: ``cypher/emit``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.queries.job import TenantRow
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class DueWindow:
    """A window that is due to close."""

    emit_id: str
    answer_id: str


@dataclass(frozen=True, slots=True)
class Window:
    """A locked answer's open window: the version last reported, and the newest."""

    answer_id: str
    emit_id: str
    reported_status: str
    reported_severity: str | None
    reported_claims_json: str
    status: str
    severity: str | None
    claims_json: str
    seq: int
    emit_number: int
    suppressed_run: int
    first_check: bool


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event that left; times in µs."""

    event_id: str
    answer_id: str
    number: int
    from_status: str
    to_status: str
    changed_claims: list[int]
    severity: str | None
    direction: str
    flapping: bool
    first_check: bool
    closed_at: int


READ_DUE = Query("emit/read_due", DueWindow)
EMIT_TENANTS = Query("emit/read_tenants", TenantRow)
LOCK_WINDOWS = Query("emit/lock_windows", Window)
CLOSE_WINDOWS = Query("emit/close_windows", Nothing)
LIST_EVENTS = Query("emit/list_events", EventRow)
