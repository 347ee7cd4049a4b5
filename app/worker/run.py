"""Running a task: parse, call one flow function, and park what cannot be done as it was sent."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import structlog
from celery import Task
from celery.exceptions import Reject
from kombu.exceptions import OperationalError

from app.config import LONGEST_RETRY_PAUSE
from app.core.errors import Invalid, TelhaError, Unavailable
from app.core.values import tenant_id
from app.flow.jobs import park_task
from app.payloads.base import Payload, parse
from app.wiring import Stack
from app.worker.process import stack

P = TypeVar("P", bound=Payload)

_UNEXPECTED_TRIES: Final = 5
_log = structlog.get_logger(__name__)


def run(
    task: Task[..., None],
    model: type[P],
    arguments: tuple[tuple[Any, ...], Mapping[str, Any]],
    work: Callable[[Stack, P], object],
) -> None:
    """Run ``work`` on the payload that a message carried; its task id serves as request id.

    A refusal (bad payload, unknown source, conflict …) is parked at once with its reason. A store
    or broker that does not answer is waited for, anything unexpected tried five times, then parked.
    """
    body = _body(arguments)
    try:
        payload = parse(model, _identified(model, body, str(task.request.id)))
        work(stack(), payload)
    except Unavailable as refused:
        _again(task, refused)
    except TelhaError as refused:
        _park(task, body, f"{refused.code}: {refused}")
    except Exception as broken:  # noqa: BLE001 — whatever it is, it must neither be lost nor be tried for ever
        _log.exception("task_failed", task=task.name, task_id=task.request.id)
        if task.request.retries < _UNEXPECTED_TRIES:
            _again(task, broken)
        _park(task, body, f"UNEXPECTED: {type(broken).__name__}")


def _body(arguments: tuple[tuple[Any, ...], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the payload: the one positional mapping, or the keywords; else what there was."""
    positional, keywords = arguments
    if len(positional) == 1 and isinstance(positional[0], dict) and not keywords:
        return dict(positional[0])
    return dict(keywords) if not positional else {"args": list(positional), **keywords}


def _identified(model: type[P], body: dict[str, Any], task_id: str) -> dict[str, Any]:
    takes_one = "request_id" in model.model_fields
    if not takes_one or body.keys() & {"requestId", "request_id"}:
        return body
    return body | {"requestId": task_id}


def _again(task: Task[..., None], why: Exception) -> None:
    """Send the task again after a pause; where even that fails, give the message back."""
    pause = min(2**task.request.retries, LONGEST_RETRY_PAUSE)
    try:
        raise task.retry(exc=why, countdown=pause, max_retries=None)
    except (OperationalError, OSError) as refused:
        raise Reject(str(type(refused).__name__), requeue=True) from None


def _park(task: Task[..., None], body: dict[str, Any], reason: str) -> None:
    try:
        home = stack()
        park_task(
            home.store,
            _tenant(body, home),
            task_id=str(task.request.id),
            name=str(task.name),
            payload_json=json.dumps(body, ensure_ascii=False, default=str),
            reason=reason,
            now=home.clock.now(),
        )
    except Unavailable as refused:
        _again(task, refused)


def _tenant(body: dict[str, Any], home: Stack) -> str:
    """Return whose parked task it is; one that names no tenant is the configured one's to mend."""
    try:
        return tenant_id(body.get("tenant"))
    except Invalid:
        return home.settings.tenant
