"""Queries of the step ``verify``: ``cypher/verify``."""

from dataclasses import dataclass
from typing import Any

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim of an answer; each of ``cites`` has ``source_id``, ``tx``, ``start`` and ``end``."""

    answer_id: str
    trace_id: str
    idx: int
    text: str | None
    cites: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a clarification was bound to: a text, a version of its source (``bound_tx``)."""

    clarification_id: str
    source_id: str
    text: str | None
    bound_tx: int | None


@dataclass(frozen=True, slots=True)
class TextRow:
    """The text of a version; ``None`` for an end."""

    source_id: str
    tx: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A verdict, and those of the claims that ask for it which the graph ties to it already.

    Each of ``tied`` has ``trace_id`` and ``idx``.
    """

    digest: str
    verdict: str
    material: bool
    tied: list[dict[str, Any]]


READ_CLAIMS = Query("verify/read_claims", ClaimRow)
READ_OUTCOMES = Query("verify/read_outcomes", Outcome)
READ_TEXTS = Query("verify/read_texts", TextRow)
READ_VERIFICATIONS = Query("verify/read_verifications", Kept)
WRITE_VERIFICATIONS = Query("verify/write_verifications", Nothing)
