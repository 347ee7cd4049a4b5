"""Queries of the step ``trace``: ``cypher/trace``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class ClaimedTrace:
    """By which body a trace id is claimed; ``taken`` where that was stored before."""

    body_digest: str
    taken: bool


@dataclass(frozen=True, slots=True)
class CitedVersion:
    """A version that a coordinate names, with its text (``None`` for an end)."""

    source_id: str
    tx: int
    text: str | None
    ends: bool


@dataclass(frozen=True, slots=True)
class ClarificationSource:
    """Which source a clarification is about."""

    clarification_id: str
    source_id: str


CLAIM_TRACE = Query("trace/claim_trace", ClaimedTrace)
READ_CITED = Query("trace/read_cited", CitedVersion)
READ_CLARIFICATIONS = Query("trace/read_clarifications", ClarificationSource)
CREATE_TRACE = Query("trace/create_trace", Nothing)
LINK_EVIDENCE = Query("trace/link_evidence", Nothing)
LINK_PENDING = Query("trace/link_pending", Nothing)
