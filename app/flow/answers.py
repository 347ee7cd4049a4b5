"""Answers: what stands, or stood at an instant, with every cause and its coordinates (seed §6)."""

import json
from collections.abc import Iterator, Sequence

from app.core import claims_json
from app.core.errors import NotFound
from app.core.instants import LATEST
from app.core.states import AnswerState, ClaimCheck, ClaimState, Severity, Status
from app.flow.claim_view import checkable, shown_claim, verification_of
from app.graph.queries import answers as q
from app.payloads.answers import (
    AnswerPage,
    AnswerRow,
    AnswerView,
    ClaimView,
    ListIn,
    VersionView,
)
from app.payloads.trace import TimeBasis
from app.ports import Store


def show_answer(store: Store, tenant: str, answer_id: str, *, at: int | None = None) -> AnswerView:
    """Return an answer with its claims and history, as it stood at ``at`` (µs; ``None``: now).

    Raises ``NotFound`` ``ANSWER_NOT_FOUND`` where the tenant has no such answer, or had none then.
    """
    until = LATEST if at is None else at
    rows = store.read(q.READ_ANSWER, tenant=tenant, answer_id=answer_id, at=until)
    if not rows:
        raise NotFound(
            "ANSWER_NOT_FOUND",
            f"no such answer in this tenant{'' if at is None else ' at that time'}",
            field="answerId",
            hint="`telha answers ls` lists those of a tenant, `--tenant` names another.",
        )
    row = rows[0]
    state = claims_json.answer_state(row.status, row.severity, row.claims_json, row.caveats)
    texts = store.read(q.READ_CLAIM_TEXTS, tenant=tenant, trace_id=row.trace_id)
    history = store.read(q.READ_HISTORY, tenant=tenant, answer_id=answer_id, at=until)
    found = store.read(q.READ_VERIFICATIONS, tenant=tenant, trace_id=row.trace_id, at=until)
    claims = [
        shown_claim(
            claim, made, verification_of(claim, [each for each in found if each.idx == claim.idx])
        )
        for claim, made in _with_texts(state.claims, texts)
    ]
    return _view(row, state, claims, history)


def list_answers(store: Store, asked: ListIn) -> AnswerPage:
    """Return a page of answers by id, as they stood at the earlier of ``at`` and ``known_at``."""
    stated = [each for each in (asked.at, asked.known_at) if each is not None]
    shared = {
        "tenant": asked.tenant,
        "status": asked.status,
        "after": asked.after or "",
        "page": asked.page,
    }
    if stated:
        rows = store.read(q.LIST_ANSWERS_AT, **shared, at=min(stated))
    else:
        rows = store.read(q.LIST_ANSWERS, **shared)
    more = rows[-1].answer_id if len(rows) == asked.page else None
    return AnswerPage(answers=tuple(_row(row) for row in rows), after=more)


def _view(
    row: q.AnswerRow,
    state: AnswerState,
    claims: Sequence[ClaimView],
    history: Sequence[q.HistoryRow],
) -> AnswerView:
    stands = row.seq == row.newest_seq
    return AnswerView(
        answer_id=row.answer_id,
        trace_id=row.trace_id,
        title=row.title,
        question=row.question,
        draft=row.draft,
        created_by_person=row.created_by_person,
        created_by_key=row.created_by_key,
        time_basis=TimeBasis.model_validate(json.loads(row.time_basis_json)),
        status=state.status,
        severity=state.severity,
        caveats=state.caveats,
        claims=tuple(claims),
        history=tuple(_version(version) for version in history),
        saved_at=row.saved_at,
        checked_at=row.checked_at if stands else None,
        recheck_due_at=row.recheck_due_at if stands else None,
        expires_at=row.expires_at if stands and state.status is Status.CURRENT else None,
        checked_through=row.checked_through if stands else None,
        deleted_at=row.deleted_at,
        superseded_by=row.superseded_by if stands else None,
    )


def _with_texts(
    claims: Sequence[ClaimCheck], texts: Sequence[q.ClaimText]
) -> Iterator[tuple[ClaimCheck, q.ClaimText]]:
    made = {text.idx: text for text in texts}
    return ((claim, made[claim.idx]) for claim in claims)


def _version(row: q.HistoryRow) -> VersionView:
    return VersionView(
        seq=row.seq,
        status=Status(row.status),
        severity=Severity(row.severity) if row.severity else None,
        recorded_at=row.recorded_at,
        why=row.why,
        emit_id=row.emit_id,
    )


def _row(row: q.ListedAnswer) -> AnswerRow:
    claims = claims_json.loads(row.claims_json)
    status = Status(row.status)
    return AnswerRow(
        answer_id=row.answer_id,
        title=row.title,
        status=status,
        severity=Severity(row.severity) if row.severity else None,
        claims=len(claims),
        not_ok=sum(claim.state is not ClaimState.OK for claim in claims),
        not_checkable=sum(not checkable(claim) for claim in claims),
        saved_at=row.saved_at,
        checked_at=row.checked_at,
        expires_at=row.expires_at if status is Status.CURRENT else None,
    )
