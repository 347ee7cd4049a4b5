"""Requests: a repeat with the same id is the first result again (DESIGN §6.5)."""

from collections.abc import Callable
from typing import TypeVar

from app.core.errors import Conflict
from app.core.values import sha256
from app.graph.queries import request as q
from app.payloads.base import Payload
from app.ports import Store, Tx

R = TypeVar("R", bound=Payload)


def once(
    tx: Tx,
    operation: str,
    payload: Payload,
    result: type[R],
    work: Callable[[], R],
    *,
    now: int,
) -> R:
    """Return what ``work`` returns, or what it returned the first time for this request id.

    A repeat created nothing, and where the result has ``created`` it says so.

    The payload carries ``tenant`` and ``request_id`` (none: no bookkeeping). Result and effect
    share the transaction, so a failed call leaves the id free. Raises ``Conflict``
    ``REQUEST_ID_REUSED`` for another body under a used id.
    """
    body = payload.model_dump(mode="json", by_alias=True)
    tenant, request_id = body["tenant"], body["requestId"]
    if request_id is None:
        return work()
    digest = _digest(payload)
    key = {"tenant": tenant, "operation": operation, "request_id": request_id}
    [seen] = tx.run(q.OPEN_REQUEST, **key, digest=digest, recorded_at=now)
    if seen.digest != digest:
        raise _reused(operation, request_id)
    if seen.result_json is not None:
        return _again(result.model_validate_json(seen.result_json))
    done = work()
    tx.run(q.CLOSE_REQUEST, **key, result_json=done.model_dump_json(by_alias=True))
    return done


def first_result(store: Store, operation: str, payload: Payload, result: type[R]) -> R | None:
    """Return what this request gave the first time, before anything is done for it again.

    For operations that call a model before their transaction: ``once`` alone would let a repeat pay
    for the call. Raises ``Conflict`` ``REQUEST_ID_REUSED``.
    """
    body = payload.model_dump(mode="json", by_alias=True)
    if body["requestId"] is None:
        return None
    key = {"tenant": body["tenant"], "operation": operation, "request_id": body["requestId"]}
    rows = store.read(q.READ_REQUEST, **key)
    if not rows or rows[0].result_json is None:
        return None
    if rows[0].digest != _digest(payload):
        raise _reused(operation, body["requestId"])
    return _again(result.model_validate_json(rows[0].result_json))


def _digest(payload: Payload) -> str:
    return sha256(payload.model_dump_json(by_alias=True, exclude={"request_id"}))


def _reused(operation: str, request_id: str) -> Conflict:
    return Conflict(
        "REQUEST_ID_REUSED",
        f"request id {request_id!r} was used for another {operation}",
        field="requestId",
        hint="Use a new request id for a new request.",
    )


def _again(first: R) -> R:
    """Return a first result as its repeat: all as it was, but that nothing was created by it."""
    if "created" in type(first).model_fields:
        return first.model_copy(update={"created": False})
    return first
