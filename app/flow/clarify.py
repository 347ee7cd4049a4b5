"""Clarify: a question about a source is opened, bound, conflicted, withdrawn, and reopened."""

from app.core.errors import Conflict, Invalid, NotFound
from app.core.rules import ClarificationPhase
from app.core.values import clarification_key, derived_id, source_key
from app.flow.requests import once
from app.graph.queries import ingest as q
from app.graph.queries import request as r
from app.payloads.ingest import Clarified, ClarifyIn
from app.ports import Clock, Store, Tx


def clarify(store: Store, clock: Clock, step: ClarifyIn) -> Clarified:
    """Append a state to a clarification, or open a new one; write the change (DESIGN §3, §5).

    The same state with the same outcome again changes nothing. Raises ``NotFound``
    ``CLARIFICATION_UNKNOWN``, ``SOURCE_UNKNOWN`` or ``VERSION_UNKNOWN``, ``Invalid``
    ``CLARIFICATION_INCOMPLETE`` or ``NOT_BINDABLE``, ``Conflict`` ``CLARIFICATION_ELSEWHERE``.
    """
    now = clock.now()

    def work(tx: Tx) -> Clarified:
        return once(tx, "clarify", step, Clarified, lambda: _step(tx, step, now), now=now)

    return store.write(work)


def _step(tx: Tx, step: ClarifyIn, now: int) -> Clarified:
    held = _locked(tx, step, now)
    if step.source_id not in (None, held.source_id):
        raise Conflict(
            "CLARIFICATION_ELSEWHERE",
            f"this clarification is about {held.source_id!r}",
            field="sourceId",
        )
    if held.state == step.state and _says_the_same(tx, step):
        return _told(step, held.source_id, held.seq, changed=False)
    if step.bind is not None:
        _check_bindable(tx, source_key(step.tenant, held.source_id), step.bind)
    recorded_at = max(now, held.last_recorded_at + 1)
    [raised] = tx.run(
        q.APPEND_STATE,
        tenant=step.tenant,
        clarification_id=step.clarification_id,
        state=step.state,
        text=step.text,
        bound_tx=step.bind,
        recorded_at=recorded_at,
        created_by=step.actor,
        change_id=derived_id(
            "change", clarification_key(step.tenant, step.clarification_id), held.seq + 1
        ),
        target_key=clarification_key(step.tenant, step.clarification_id),
    )
    _log(tx, step, recorded_at)
    return _told(step, held.source_id, raised.seq, changed=True)


def _locked(tx: Tx, step: ClarifyIn, now: int) -> q.ClarificationRow:
    key = {"tenant": step.tenant, "clarification_id": step.clarification_id}
    token = derived_id("lock", step.tenant, step.clarification_id, now)
    rows = tx.run(q.LOCK_CLARIFICATION, **key, token=token)
    if not rows:
        _create(tx, step)
        rows = tx.run(q.LOCK_CLARIFICATION, **key, token=token)
    return rows[0]


def _create(tx: Tx, step: ClarifyIn) -> None:
    if step.state is not ClarificationPhase.OPEN:
        raise NotFound(
            "CLARIFICATION_UNKNOWN",
            "no such clarification in this tenant",
            field="clarificationId",
            hint="Open it first: state 'open' with sourceId and question.",
        )
    if step.source_id is None or step.question is None:
        raise Invalid(
            "CLARIFICATION_INCOMPLETE",
            "a new clarification names its source and its question",
            field="sourceId" if step.source_id is None else "question",
        )
    created = tx.run(
        q.CREATE_CLARIFICATION,
        tenant=step.tenant,
        clarification_id=step.clarification_id,
        source_key=source_key(step.tenant, step.source_id),
        target_key=clarification_key(step.tenant, step.clarification_id),
        question=step.question,
    )
    if not created:
        raise NotFound(
            "SOURCE_UNKNOWN", f"no source {step.source_id!r} in this tenant", field="sourceId"
        )


def _says_the_same(tx: Tx, step: ClarifyIn) -> bool:
    """Whether a repeated state brings no other outcome; only a binding has one."""
    if step.state is not ClarificationPhase.BOUND:
        return True
    [last] = tx.run(q.READ_OUTCOME, tenant=step.tenant, clarification_id=step.clarification_id)
    return (last.text, last.bound_tx) == (step.text, step.bind)


def _check_bindable(tx: Tx, key: str, version_tx: int) -> None:
    rows = tx.run(q.READ_BINDABLE, source_key=key, tx=version_tx)
    if not rows:
        raise NotFound(
            "VERSION_UNKNOWN", f"this source has no version at {version_tx}", field="bind"
        )
    if rows[0].ends or rows[0].removal is not None:
        raise Invalid(
            "NOT_BINDABLE", f"the version at {version_tx} is an end or tombstoned", field="bind"
        )


def _log(tx: Tx, step: ClarifyIn, at: int) -> None:
    tx.run(
        r.LOG_CLARIFICATION_EVENT,
        tenant=step.tenant,
        event_id=derived_id("event", "clarification", step.tenant, step.clarification_id, at),
        kind=f"clarification.{step.state}",
        at=at,
        actor=step.actor,
        clarification_id=step.clarification_id,
        outcomes=[step.clarification_id],
    )


def _told(step: ClarifyIn, source_id: str, seq: int, *, changed: bool) -> Clarified:
    return Clarified(
        clarification_id=step.clarification_id,
        source_id=source_id,
        state=step.state,
        seq=seq,
        changed=changed,
    )
