"""Queries of the step ``recheck``: ``cypher/recheck``."""

from dataclasses import dataclass
from typing import Any

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class HeadRow:
    """A live answer's head and what it watches, in watch order; times in µs.

    Each target has ``clarification_id`` (or ``None``), ``source_id`` and ``seq``.
    """

    answer_id: str
    seq: int
    status: str
    severity: str | None
    claims_json: str
    caveats: list[str] | None
    changed_at: int
    checked_at: int | None
    checked_seqs: list[int] | None
    failures: int
    targets: list[dict[str, Any]]
    newest_tx: int | None
    checked_through: int | None


@dataclass(frozen=True, slots=True)
class LossRow:
    """A cited version that lost, as of one instant; times in µs.

    Each of ``cited`` is a citation of it: ``answer_id``, the claim's ``idx``, and ``start`` and
    ``end`` of the span in code points.
    """

    cited: list[dict[str, Any]]
    source_id: str
    cited_tx: int
    at: int
    tombstoned: bool
    cited_from: int
    cited_to: int
    cited_competes: bool
    winning_tx: int | None
    winning_from: int | None
    winning_corrects: int | None
    overridden: bool
    blank_ends: bool


@dataclass(frozen=True, slots=True)
class PendingRow:
    """A clarification that a claim recorded as pending, as it stands."""

    answer_id: str
    idx: int
    clarification_id: str
    source_id: str
    state: str
    bound_tx: int | None


@dataclass(frozen=True, slots=True)
class CaveatRow:
    """A caveat of a claim."""

    answer_id: str
    idx: int
    caveat: str


@dataclass(frozen=True, slots=True)
class BoundaryRow:
    """When the clock alone may next change an answer, and when the last check said, µs."""

    answer_id: str
    boundary: int | None
    expires_at: int | None


@dataclass(frozen=True, slots=True)
class AnswerIds:
    """The ids of some answers, in one row: rows by the thousand cost more than reading them."""

    answer_ids: list[str]


@dataclass(frozen=True, slots=True)
class Locked:
    """How many nodes were locked."""

    locked: int


READ_HEADS = Query("recheck/read_heads", HeadRow)
READ_LOSSES = Query("recheck/read_losses", LossRow)
READ_PENDING = Query("recheck/read_pending", PendingRow)
READ_CAVEATS = Query("recheck/read_caveats", CaveatRow)
READ_BOUNDARIES = Query("recheck/read_boundaries", BoundaryRow)
CONFIRM_UNMOVED = Query("recheck/confirm_unmoved", AnswerIds)
LOCK_UNMOVED = Query("recheck/lock_unmoved", AnswerIds)
LOCK_TARGETS = Query("recheck/lock_targets", Locked)
NOTE_CHECKED = Query("recheck/note_checked", Nothing)
APPEND_VERSIONS = Query("recheck/append_versions", Nothing)
WRITE_FIRES = Query("recheck/write_fires", Nothing)
