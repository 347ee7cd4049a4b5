"""Save: an act of reliance turns a trace into an answer that is watched (seed §3.1–3.3)."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from app.config import AnswersSettings
from app.core import claims_json
from app.core.errors import Conflict, Invalid, LimitReached, NotFound
from app.core.fold import folded
from app.core.states import AnswerState, Caveat, ClaimCheck
from app.core.values import derived_id
from app.flow.requests import once
from app.graph.queries import request as r
from app.graph.queries import save as q
from app.payloads.answers import AnswerRef, Deleted, Saved, SaveIn
from app.ports import Clock, Store, Tx


def save_answer(store: Store, clock: Clock, save: SaveIn, *, settings: AnswersSettings) -> Saved:
    """Save the answer of a generation trace, watch all that it rests on, queue its first check.

    Raises ``NotFound`` ``TRACE_NOT_FOUND``, ``Invalid`` ``TRACE_NOT_GENERATION``, ``Conflict``
    ``ALREADY_SAVED`` (naming the live answer), ``LimitReached`` ``TOO_MANY_ANSWERS``, ``Invalid``
    ``ANSWERS_DISABLED``. Saving runs no planner and no generator.
    """
    if not settings.enabled:
        raise Invalid(
            "ANSWERS_DISABLED", "saved answers are switched off", hint="Set answers.enabled."
        )
    now = clock.now()

    def work(tx: Tx) -> Saved:
        return once(
            tx, "save_answer", save, Saved, lambda: pin_trace(tx, save, settings, now), now=now
        )

    return store.write(work)


def pin_trace(
    tx: Tx, save: SaveIn, settings: AnswersSettings, now: int, answer_id: str | None = None
) -> Saved:
    """Create the answer of a trace within a transaction, under an id that was promised if any.

    Locks the tenant's counter. Raises what ``save_answer`` does, ``ANSWERS_DISABLED`` apart.
    """
    token = derived_id("lock", save.tenant, now)
    [counter] = tx.run(q.LOCK_TENANT, tenant=save.tenant, token=token)
    pinned = _savable(tx, save)
    _require_room(counter.answers_live, settings)
    made = answer_id or derived_id("answer", save.tenant, save.trace_id, pinned.saves)
    state = _as_saved(tx.run(q.READ_CLAIMS, tenant=save.tenant, trace_id=save.trace_id))
    _create(tx, save, made, pinned, state, now=now, max_age=settings.max_age)
    actor = save.created_by_person or save.created_by_key
    log_answer_event(tx, save.tenant, AnswerEvent("answer.saved", now, [made], ["saved"], actor))
    return Saved(answer_id=made, trace_id=save.trace_id, status=state.status, created=True)


def delete_answer(store: Store, clock: Clock, ref: AnswerRef) -> Deleted:
    """Tombstone an answer: its watch is detached, its history and audit trail stay.

    Raises ``NotFound`` ``ANSWER_NOT_FOUND``; deleting twice is deleting once.
    """
    now = clock.now()

    def work(tx: Tx) -> Deleted:
        return once(tx, "delete_answer", ref, Deleted, lambda: _delete(tx, ref, now), now=now)

    return store.write(work)


def _require_room(live: int, settings: AnswersSettings) -> None:
    if live >= settings.max_saved_per_tenant:
        raise LimitReached(
            "TOO_MANY_ANSWERS",
            f"this tenant has {live} saved answers, the most it may have",
            hint="Delete answers that nobody relies on, or raise answers.max_saved_per_tenant.",
        )


def _create(
    tx: Tx,
    save: SaveIn,
    answer_id: str,
    pinned: q.PinnedTrace,
    state: AnswerState,
    *,
    now: int,
    max_age: int,
) -> None:
    tx.run(
        q.CREATE_ANSWER,
        tenant=save.tenant,
        trace_id=save.trace_id,
        answer_id=answer_id,
        question=pinned.question,
        draft=pinned.draft,
        title=save.title,
        created_by_person=save.created_by_person,
        created_by_key=save.created_by_key,
        time_basis_json=_time_basis(pinned),
        status=state.status,
        claims_json=claims_json.dumps(state.claims),
        claim_states=[claim.state for claim in state.claims],
        caveats=list(state.caveats),
        saved_at=now,
        recheck_due_at=now + max_age,
        watch_id=answer_id,
        job_id=derived_id("first", answer_id),
        run_at=0,
    )


def _savable(tx: Tx, save: SaveIn) -> q.PinnedTrace:
    rows = tx.run(q.READ_PINNED, tenant=save.tenant, trace_id=save.trace_id)
    if not rows:
        raise NotFound("TRACE_NOT_FOUND", "no such trace in this tenant", field="traceId")
    if rows[0].kind != "generation":
        raise Invalid(
            "TRACE_NOT_GENERATION",
            f"a {rows[0].kind} trace has no answer to save",
            field="traceId",
        )
    if rows[0].live_answer_id is not None:
        raise Conflict(
            "ALREADY_SAVED",
            f"answer {rows[0].live_answer_id} already pins this trace",
            field="traceId",
        )
    return rows[0]


def _as_saved(claims: Sequence[q.TraceClaim]) -> AnswerState:
    return folded(
        [
            ClaimCheck(
                idx=claim.idx,
                verdict_at_save=claim.verdict,
                caveats=tuple(
                    caveat
                    for caveat, shown in (
                        (Caveat.JUDGED_AS_OF, claim.pinned),
                        (Caveat.NO_EVIDENCE, not claim.cites),
                    )
                    if shown
                ),
            )
            for claim in claims
        ]
    )


def _time_basis(pinned: q.PinnedTrace) -> str:
    basis = {"txTime": pinned.tx_time}
    if pinned.valid_time is not None:
        basis["validTime"] = pinned.valid_time
    return json.dumps(basis, sort_keys=True)


def _delete(tx: Tx, ref: AnswerRef, now: int) -> Deleted:
    token = derived_id("lock", ref.answer_id, now)
    tx.run(q.LOCK_TENANT, tenant=ref.tenant, token=token)
    rows = tx.run(q.LOCK_ANSWER, tenant=ref.tenant, answer_id=ref.answer_id, token=token)
    if not rows:
        raise NotFound("ANSWER_NOT_FOUND", "no such answer in this tenant", field="answerId")
    if rows[0].deleted_at is None:
        at = max(now, rows[0].changed_at)
        tx.run(q.DELETE_ANSWER, tenant=ref.tenant, answer_id=ref.answer_id, deleted_at=at)
        event = AnswerEvent("answer.deleted", now, [ref.answer_id], ["deleted"], ref.actor)
        log_answer_event(tx, ref.tenant, event)
    return Deleted(answer_id=ref.answer_id, deleted=True)


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """What happened to answers at an instant (µs), one outcome each.

    It hangs on those in ``on``, on all if ``None``; ``why`` is that of the job which did it.
    """

    kind: str
    at: int
    answers: Sequence[str]
    outcomes: Sequence[str]
    actor: str | None = None
    on: Sequence[str] | None = None
    why: str | None = None


def log_answer_event(tx: Tx, tenant: str, event: AnswerEvent) -> None:
    """Log what happened to answers."""
    tx.run(
        r.LOG_ANSWER_EVENT,
        tenant=tenant,
        event_id=str(uuid.uuid4()),
        kind=event.kind,
        at=event.at,
        actor=event.actor,
        why=event.why,
        answers=list(event.answers),
        outcomes=list(event.outcomes),
        on=list(event.answers if event.on is None else event.on),
    )
