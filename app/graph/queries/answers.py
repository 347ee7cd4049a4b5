"""Queries that show answers: ``cypher/answers``."""

from dataclasses import dataclass
from typing import Any

from app.graph.catalog import Query


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer with the version that stood at an instant; times in µs."""

    answer_id: str
    trace_id: str
    title: str | None
    question: str
    draft: str
    created_by_person: str | None
    created_by_key: str | None
    time_basis_json: str
    saved_at: int
    deleted_at: int | None
    checked_at: int | None
    recheck_due_at: int | None
    expires_at: int | None
    checked_through: int | None
    superseded_by: str | None
    seq: int
    newest_seq: int
    status: str
    severity: str | None
    claims_json: str
    caveats: list[str] | None


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim as it was made; times in µs."""

    idx: int
    text: str | None
    valid_time: int | None
    pinned_at: int | None


@dataclass(frozen=True, slots=True)
class VerificationRow:
    """What rule 4 found of a claim; times in µs.

    Each of ``against`` has ``source_id``, ``tx``, ``start`` and ``end`` (or ``None``), and
    ``cited_tx``, ``cited_start``, ``cited_end``.
    """

    idx: int
    verdict: str
    material: bool
    reasons: list[str]
    matcher_version: str
    model: str | None
    recorded_at: int
    against: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One version of an answer; times in µs."""

    seq: int
    status: str
    severity: str | None
    recorded_at: int
    why: str
    emit_id: str | None


@dataclass(frozen=True, slots=True)
class ListedAnswer:
    """An answer in a list; times in µs."""

    answer_id: str
    title: str | None
    status: str
    severity: str | None
    claims_json: str
    saved_at: int
    checked_at: int | None
    expires_at: int | None


READ_ANSWER = Query("answers/read_answer", AnswerRow)
READ_CLAIM_TEXTS = Query("answers/read_claim_texts", ClaimText)
READ_HISTORY = Query("answers/read_history", HistoryRow)
LIST_ANSWERS = Query("answers/list_answers", ListedAnswer)
LIST_ANSWERS_AT = Query("answers/list_answers_at", ListedAnswer)
READ_VERIFICATIONS = Query("answers/read_verifications", VerificationRow)
