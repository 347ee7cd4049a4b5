"""Refresh: the question is asked again at current coordinates; the new answer supersedes (§3.6).

Human-initiated only: nothing here is called by a check, a sweep or a beat (seed OQ-1).
"""

from dataclasses import dataclass
from typing import Final

import structlog

from app.config import AnswersSettings
from app.core.errors import Conflict, Invalid, NotFound, TelhaError
from app.core.states import Status
from app.core.values import derived_id
from app.flow.generate import generate
from app.flow.jobs import Lease, LeaseLost
from app.flow.making import Maker
from app.flow.requests import once
from app.flow.save import AnswerEvent, log_answer_event, pin_trace
from app.graph.queries import refresh as q
from app.graph.queries import save as s
from app.payloads.answers import AnswerRef, SaveIn
from app.payloads.generate import AskIn
from app.payloads.refresh import Refreshing, RefreshState, RefreshView
from app.ports import Clock, Store, Tx

REFRESH: Final = "refresh:answer"
_log = structlog.get_logger(__name__)


def ask_refresh(store: Store, clock: Clock, ref: AnswerRef, *, configured: bool) -> Refreshing:
    """Accept the refresh of an answer; a worker makes the new one, whose id is returned at once.

    While one is open, asking again gives its id. Raises ``Invalid`` ``GENERATOR_UNCONFIGURED``,
    ``NotFound`` ``ANSWER_NOT_FOUND``, ``Conflict`` ``ANSWER_SUPERSEDED`` naming the newest answer
    of the chain, or ``HEAD_DELETED`` where that is gone.
    """
    if not configured:
        raise Invalid(
            "GENERATOR_UNCONFIGURED",
            "no generator is configured, so nothing can be asked again",
            hint="Set models.generator.",
        )
    now = clock.now()

    def work(tx: Tx) -> Refreshing:
        return once(tx, "refresh_answer", ref, Refreshing, lambda: _open(tx, ref, now=now), now=now)

    return store.write(work)


def read_refresh(store: Store, tenant: str, new_answer_id: str) -> RefreshView | None:
    """Return the refresh that makes, or could not make, the answer of this id, if there is one."""
    rows = store.read(q.READ_REFRESH, tenant=tenant, new_answer_id=new_answer_id)
    if not rows:
        return None
    row = rows[0]
    return RefreshView(
        new_answer_id=row.new_answer_id,
        answer_id=row.answer_id,
        state=RefreshState(row.state),
        reason=row.reason,
        requested_by=row.requested_by,
        requested_at=row.recorded_at,
        finished_at=row.finished_at,
    )


@dataclass(frozen=True, slots=True)
class Refresher:
    """Runs refreshes that were asked for."""

    store: Store
    clock: Clock
    answers: AnswersSettings
    maker: Maker

    def run(self, lease: Lease) -> None:
        """Make the answer that a leased job is for, or note why it could not be made.

        A store that does not answer raises, so that the job is offered again; the question is then
        not asked twice. Raises ``LeaseLost``.
        """
        for asked in self.store.read(q.READ_JOB, tenant=lease.tenant, job_id=lease.job_id):
            try:
                self._make(lease, asked)
            except LeaseLost:
                raise
            except TelhaError as refused:
                if refused.code.startswith("STORE_"):
                    raise
                self._fail(lease, asked, f"{refused.code}: {refused}")
            except Exception as broken:  # noqa: BLE001 — a question costs money: it is not asked eight times
                _log.error("refresh_failed", job_id=lease.job_id, exc_info=broken)
                self._fail(lease, asked, f"UNEXPECTED: {type(broken).__name__}")
        self.store.write(lambda tx: lease.finish(tx, now=self.clock.now()))

    def _make(self, lease: Lease, asked: q.Asked) -> None:
        trace_id = self._asked_again(lease.tenant, asked)
        self.store.write(lambda tx: self._supersede(tx, lease, asked, trace_id))

    def _asked_again(self, tenant: str, asked: q.Asked) -> str:
        """Return the trace of the new answer; a repeat after a crash gives the first one again."""
        again = AskIn(
            tenant=tenant,
            question=asked.question,
            valid_time=asked.valid_time,
            source_ids=tuple(asked.source_ids),
            request_id=asked.new_answer_id,
        )
        made = generate(self.maker, again)
        if not made.claims:
            raise Invalid("GENERATION_EMPTY", "nothing that was found answers the question now")
        return made.trace_id

    def _supersede(self, tx: Tx, lease: Lease, asked: q.Asked, trace_id: str) -> None:
        now = self.clock.now()
        token = derived_id("lock", lease.tenant, now)
        tx.run(s.LOCK_TENANT, tenant=lease.tenant, token=token)
        old = _refreshable(tx, lease.tenant, asked.answer_id, token)
        save = SaveIn(
            tenant=lease.tenant,
            trace_id=trace_id,
            title=asked.title,
            created_by_person=asked.created_by_person,
            created_by_key=asked.created_by_key,
        )
        pin_trace(tx, save, self.answers, now, asked.new_answer_id)
        tx.run(
            q.SUPERSEDE,
            tenant=lease.tenant,
            answer_id=asked.answer_id,
            new_answer_id=asked.new_answer_id,
            recorded_at=max(now, old.changed_at),
        )
        lease.hold(tx)
        _end(tx, lease.tenant, asked, RefreshState.DONE, now)

    def _fail(self, lease: Lease, asked: q.Asked, reason: str) -> None:
        def work(tx: Tx) -> None:
            lease.hold(tx)
            _end(tx, lease.tenant, asked, RefreshState.FAILED, self.clock.now(), reason)

        self.store.write(work)


def _open(tx: Tx, ref: AnswerRef, *, now: int) -> Refreshing:
    token = derived_id("lock", ref.answer_id, now)
    old = _refreshable(tx, ref.tenant, ref.answer_id, token)
    if old.open_id is not None:
        return Refreshing(answer_id=ref.answer_id, new_answer_id=old.open_id, created=False)
    new_id = derived_id("refresh", ref.tenant, ref.answer_id, old.refreshes)
    tx.run(
        q.OPEN_REFRESH,
        tenant=ref.tenant,
        answer_id=ref.answer_id,
        new_answer_id=new_id,
        job_id=new_id,
        actor=ref.actor,
        now=now,
        run_at=0,
    )
    return Refreshing(answer_id=ref.answer_id, new_answer_id=new_id, created=True)


def _refreshable(tx: Tx, tenant: str, answer_id: str, token: str) -> q.OldAnswer:
    rows = tx.run(q.LOCK_OLD, tenant=tenant, answer_id=answer_id, token=token)
    if not rows or rows[0].deleted_at is not None:
        raise NotFound("ANSWER_NOT_FOUND", "no such answer in this tenant", field="answerId")
    old = rows[0]
    if old.status != Status.SUPERSEDED:
        return old
    if old.head_id is None or old.head_deleted_at is not None:
        raise Conflict(
            "HEAD_DELETED",
            "the answer is superseded, and the newest of its chain is deleted",
            field="answerId",
            hint="Ask the question anew with `telha ask`.",
        )
    raise Conflict(
        "ANSWER_SUPERSEDED",
        f"the answer is superseded; the newest of its chain is {old.head_id}",
        field="answerId",
        hint=f"Refresh {old.head_id}.",
    )


def _end(
    tx: Tx, tenant: str, asked: q.Asked, state: RefreshState, now: int, reason: str | None = None
) -> None:
    tx.run(
        q.END_REFRESH,
        tenant=tenant,
        new_answer_id=asked.new_answer_id,
        state=state,
        reason=reason,
        finished_at=now,
    )
    done = state is RefreshState.DONE
    ids = [asked.answer_id, asked.new_answer_id] if done else [asked.answer_id]
    outcomes = ["superseded", "refreshed"] if done else [f"refresh failed: {reason}"]
    event = AnswerEvent("answer.refreshed", now, ids, outcomes, asked.requested_by)
    log_answer_event(tx, tenant, event)
