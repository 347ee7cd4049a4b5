"""Emit: windows of an answer close, and at most one net event leaves for each (DESIGN §6.3)."""

import uuid
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from operator import itemgetter
from typing import Final

from app.core import claims_json
from app.core.states import AnswerState
from app.core.transitions import Direction, Transition, transition
from app.graph.queries import emit as q
from app.payloads.jobs import Event, Relayed
from app.ports import Clock, Store, Tx

_PAGE: Final = 100
_FLAPPING_AFTER: Final = 3


def close_emit_windows(
    store: Store, clock: Clock, tenant: str, *, go_on: Callable[[], bool] = lambda: True
) -> Relayed:
    """Close the windows of a tenant that are due: one event with the net transition, or none.

    After three suppressed windows in a row one event leaves with the present status, marked as
    flapping. An event's id is its window's, so closing twice is closing once. A page is one
    transaction; after each, ``go_on`` says whether to take another.
    """
    emitted = suppressed = 0
    now = clock.now()
    while page := store.read(q.READ_DUE, tenant=tenant, now=now, page=_PAGE):
        windows = sorted((asdict(window) for window in page), key=itemgetter("answer_id"))
        left = store.write(partial(_close, tenant=tenant, windows=windows, now=now))
        emitted += left.count(True)
        suppressed += left.count(False)
        if not go_on():
            break
    return Relayed(emitted=emitted, suppressed=suppressed)


def tenants_with_due_windows(store: Store, *, now: int) -> list[str]:
    """Return the tenants that have windows to close at ``now`` (µs)."""
    return sorted(row.tenant for row in store.read(q.EMIT_TENANTS, now=now))


def list_events(
    store: Store, tenant: str, *, answer_id: str | None = None, page: int = 1000
) -> list[Event]:
    """Return up to ``page`` events of a tenant, or of one answer, in the order they left."""
    rows = store.read(q.LIST_EVENTS, tenant=tenant, answer_id=answer_id, page=page)
    return [Event.model_validate(asdict(row)) for row in rows]


def _close(tx: Tx, *, tenant: str, windows: list[dict[str, str]], now: int) -> list[bool]:
    """Close windows, but those that another closed; return for each whether its event left.

    Locks the answers by id (DESIGN §5).
    """
    locked = tx.run(q.LOCK_WINDOWS, tenant=tenant, windows=windows, token=str(uuid.uuid4()))
    rows = [_closing(window, *_net(window)) for window in locked]
    if rows:
        tx.run(q.CLOSE_WINDOWS, tenant=tenant, rows=rows, closed_at=now)
    return [row["number"] is not None for row in rows]


def _net(window: q.Window) -> tuple[Transition | None, bool]:
    """Return the net transition since the last event, and whether it reports mere flapping."""
    reported = _state(window.reported_status, window.reported_severity, window.reported_claims_json)
    newest = _state(window.status, window.severity, window.claims_json)
    net = transition(reported, newest)
    if net is None and window.suppressed_run >= _FLAPPING_AFTER:
        still = Transition(newest.status, newest.status, (), newest.severity, Direction.SAME)
        return still, True
    return net, False


def _state(status: str, severity: str | None, claims: str) -> AnswerState:
    return claims_json.answer_state(status, severity, claims, ())


def _closing(window: q.Window, net: Transition | None, flapping: bool) -> dict[str, object]:
    return {
        "answer_id": window.answer_id,
        "emit_id": window.emit_id,
        "state": "suppressed" if net is None else "emitted",
        "number": None if net is None else window.emit_number + 1,
        "from_status": net.from_status if net else None,
        "to_status": net.to_status if net else None,
        "changed_claims": list(net.changed_claims) if net else None,
        "severity": net.severity if net else None,
        "direction": net.direction if net else None,
        "flapping": flapping if net else None,
        "emitted_seq": None if net is None else window.seq,
        "suppressed_run": window.suppressed_run + 1 if net is None else 0,
    }
