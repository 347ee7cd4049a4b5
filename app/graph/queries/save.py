"""Queries of the step ``save``: ``cypher/save``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class LiveAnswers:
    """How many answers of a tenant are live."""

    answers_live: int


@dataclass(frozen=True, slots=True)
class PinnedTrace:
    """A trace as something to save; times in µs."""

    kind: str
    question: str
    draft: str
    valid_time: int | None
    tx_time: int
    saves: int
    live_answer_id: str | None


@dataclass(frozen=True, slots=True)
class TraceClaim:
    """A claim of a trace: whether it is pinned to an instant, whether it cites anything."""

    idx: int
    verdict: str
    pinned: bool
    cites: bool


@dataclass(frozen=True, slots=True)
class Targets:
    """How many sources and clarifications an answer watches."""

    targets: int


@dataclass(frozen=True, slots=True)
class LockedAnswer:
    """A locked answer's head."""

    trace_id: str
    seq: int
    status: str
    severity: str | None
    claims_json: str
    caveats: list[str] | None
    deleted_at: int | None
    emitted_seq: int
    emit_number: int
    changed_at: int


LOCK_TENANT = Query("save/lock_tenant", LiveAnswers)
READ_PINNED = Query("save/read_pinned", PinnedTrace)
READ_CLAIMS = Query("save/read_claims", TraceClaim)
CREATE_ANSWER = Query("save/create_answer", Targets)
LOCK_ANSWER = Query("save/lock_answer", LockedAnswer)
DELETE_ANSWER = Query("save/delete_answer", Nothing)
