"""Payloads and results of saved answers (seed §5, §6)."""

from typing import Annotated, Self

from pydantic import Field, StrictInt, model_validator

from app.core.states import CauseKind, ClaimState, Severity, Status
from app.payloads.base import Instant, Key, Name, Payload, Tenant
from app.payloads.trace import TimeBasis


class SaveIn(Payload):
    """Save the answer of a generation trace; name the person or the key that relies on it."""

    tenant: Tenant
    trace_id: Key
    title: Name | None = None
    created_by_person: Name | None = None
    created_by_key: Name | None = None
    request_id: Key | None = None

    @model_validator(mode="after")
    def _one_creator(self) -> Self:
        if self.created_by_person is not None and self.created_by_key is not None:
            raise ValueError("name either 'createdByPerson' or 'createdByKey'")
        return self


class AnswerRef(Payload):
    """Names one answer."""

    tenant: Tenant
    answer_id: Key
    actor: Name | None = None
    request_id: Key | None = None


class ListIn(Payload):
    """Which answers to list: by status, as they stood at an instant (µs), page by page."""

    tenant: Tenant
    status: Status | None = None
    at: Instant | None = None
    known_at: Instant | None = None
    page: Annotated[StrictInt, Field(ge=1, le=1000)] = 100
    after: Key | None = None


class Saved(Payload):
    """A saved answer; ``created`` is false where the request had been made before."""

    answer_id: str
    trace_id: str
    status: Status
    created: bool


class Deleted(Payload):
    """A deleted answer."""

    answer_id: str
    deleted: bool


class Checked(Payload):
    """The outcome of one answer's check: its status, and whether a version was appended."""

    answer_id: str
    status: Status
    changed: bool
    transition: bool


class CauseView(Payload):
    """One cause with its coordinates; the winner's span is null where none is certain."""

    kind: CauseKind
    state: ClaimState
    source_id: str
    clarification_id: str | None = None
    cited_tx: int | None = None
    cited_start: int | None = None
    cited_end: int | None = None
    winning_tx: int | None = None
    winning_start: int | None = None
    winning_end: int | None = None


class AgainstView(Payload):
    """Where a citation's text stands in the version that it was judged against."""

    source_id: str
    cited_tx: int
    cited_start: int
    cited_end: int
    tx: int
    start: int | None
    end: int | None


class VerificationView(Payload):
    """What rule 4 found of a claim, and why (seed §3.4 iv)."""

    verdict: str
    material: bool
    reasons: tuple[str, ...]
    matcher_version: str
    model: str | None
    recorded_at: int
    against: tuple[AgainstView, ...]


class ClaimView(Payload):
    """One claim as it stands; ``verification`` where rule 4 was asked and gave that state."""

    idx: int
    text: str | None
    verdict_at_save: str
    state: ClaimState
    severity: Severity | None
    valid_time: int | None
    causes: tuple[CauseView, ...]
    caveats: tuple[str, ...]
    last_change_tx: int | None
    fire_id: str | None
    checkable: bool
    verification: VerificationView | None = None


class VersionView(Payload):
    """One version of an answer's history."""

    seq: int
    status: Status
    severity: Severity | None
    recorded_at: int
    why: str
    emit_id: str | None


class AnswerView(Payload):
    """An answer with its claims and its history (seed §6: the "view changed claims" payload)."""

    answer_id: str
    trace_id: str
    title: str | None
    question: str
    draft: str
    created_by_person: str | None
    created_by_key: str | None
    time_basis: TimeBasis
    status: Status
    severity: Severity | None
    caveats: tuple[str, ...]
    claims: tuple[ClaimView, ...]
    history: tuple[VersionView, ...]
    saved_at: int
    checked_at: int | None
    recheck_due_at: int | None
    expires_at: int | None
    checked_through: int | None
    deleted_at: int | None
    superseded_by: str | None


class AnswerRow(Payload):
    """An answer in a list."""

    answer_id: str
    title: str | None
    status: Status
    severity: Severity | None
    claims: int
    not_ok: int
    not_checkable: int
    saved_at: int
    checked_at: int | None
    expires_at: int | None


class AnswerPage(Payload):
    """A page of answers; ``after`` names where the next one begins, null at the end."""

    answers: tuple[AnswerRow, ...]
    after: str | None
