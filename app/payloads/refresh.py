"""Results of a refresh (seed §3.6, §6)."""

from enum import StrEnum

from app.core.difference import Op
from app.payloads.base import Payload


class RefreshState(StrEnum):
    """Where a refresh stands."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class Refreshing(Payload):
    """A refresh that was accepted; ``created`` is false where it had been asked for before."""

    answer_id: str
    new_answer_id: str
    created: bool


class RefreshView(Payload):
    """An answer that is being made, or that could not be: no saved answer. Times in µs."""

    new_answer_id: str
    answer_id: str
    state: RefreshState
    reason: str | None
    requested_by: str | None
    requested_at: int
    finished_at: int | None


class PieceView(Payload):
    """A run of words that stands in both texts, or in one only."""

    op: Op
    text: str


class EvidenceView(Payload):
    """What a claim cites: a span ``[start, end)`` in code points of a version's text."""

    source_id: str
    tx: int
    start: int
    end: int
    quote: str


class ClaimDiff(Payload):
    """What became of a claim; an index is null where the answer has no such claim."""

    old_idx: int | None
    new_idx: int | None
    text: tuple[PieceView, ...]
    old_evidence: tuple[EvidenceView, ...]
    new_evidence: tuple[EvidenceView, ...]


class DiffView(Payload):
    """Two answers of one chain side by side."""

    old_answer_id: str
    new_answer_id: str
    draft: tuple[PieceView, ...]
    claims: tuple[ClaimDiff, ...]
