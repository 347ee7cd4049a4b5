"""Running a task: parse, call one flow function, and park what cannot be done as it was sent."""

import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar

import structlog
from celery import Task
from celery.exceptions import Reject

from app.config import LONGEST_RETRY_PAUSE, Settings
from app.core.errors import Invalid, TelhaError, Unavailable
from app.core.values import tenant_id
from app.flow.jobs import park_task
from app.payloads.base import Payload, parse
from app.wiring import Stack
from app.worker import signs
from app.worker.process import stack
from app.worker.wakes import BROKER_ERRORS, client_of, sender

P = TypeVar("P", bound=Payload)

_UNEXPECTED_TRIES: Final = 5
_SIGN_PAUSE: Final = 1.0
_next_sign: dict[int, float] = {}
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
    Success leaves a sign of progress.
    """
    home = _home(task)
    body = _identified(model, _body(arguments), str(task.request.id))
    try:
        work(home, parse(model, body))
    except Unavailable as refused:
        _again(task, refused.code)
    except TelhaError as refused:
        _park(task, home, body, f"{refused.code}: {refused}")
    except Exception as broken:  # noqa: BLE001 — whatever it is, it must neither be lost nor be tried for ever
        _log.error("task_failed", task=task.name, task_id=task.request.id, exc_info=broken)
        if task.request.retries < _UNEXPECTED_TRIES:
            _again(task, type(broken).__name__)
        _park(task, home, body, f"UNEXPECTED: {type(broken).__name__}")
    else:
        _leave_sign(home.settings, str(task.request.hostname))


class Parking(Task[..., None]):
    """A task that is parked also where Celery cannot even call it."""

    def on_failure(
        self,
        exc: Exception,
        task_id: str,  # noqa: ARG002 — Celery's words
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        einfo: object,  # noqa: ARG002
    ) -> None:
        """Park what ``run`` never saw: a keyword argument that Celery itself has a use for."""
        _park(self, stack(), _body((args, kwargs)), f"UNEXPECTED: {type(exc).__name__}")


def _leave_sign(settings: Settings, node: str) -> None:
    """Tell, at most once a second, that this worker finished a task. Never raises."""
    now = time.monotonic()
    if settings.broker_url is None or now < _next_sign.get(os.getpid(), now):
        return
    _next_sign[os.getpid()] = now + _SIGN_PAUSE
    try:
        with sender(settings.broker_url.get_secret_value()).producer_or_acquire() as producer:
            signs.leave(client_of(producer.channel), signs.WORKER, signs.worker_named(node))
    except BROKER_ERRORS:
        return  # a broker that is away is told by the lack of signs


def _home(task: Task[..., None]) -> Stack:
    """Return the stack. What keeps it shut is the operator's to mend, no fault of the message."""
    try:
        return stack()
    except Exception as broken:  # noqa: BLE001 — settings, migrations, servers: the message waits for all
        _log.error("stack_not_open", task=task.name, exc_info=broken)
        _again(task, broken.code if isinstance(broken, TelhaError) else type(broken).__name__)


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


def _again(task: Task[..., None], why: str) -> NoReturn:
    """Send the task again after a pause; where even that fails, give the message back."""
    pause = min(2 ** min(task.request.retries, 8), LONGEST_RETRY_PAUSE)
    _log.warning("task_waits", task=task.name, task_id=task.request.id, why=why, seconds=pause)
    try:
        raise task.retry(countdown=pause)
    except Reject:  # Celery's own answer to a broker that takes nothing is to drop the message
        raise Reject("the broker took no retry", requeue=True) from None


def _park(task: Task[..., None], home: Stack, body: dict[str, Any], reason: str) -> None:
    try:
        park_task(
            home.store,
            _tenant(body, home),
            task_id=str(task.request.id),
            name=str(task.name),
            payload_json=json.dumps(body, ensure_ascii=False, default=str),
            reason=reason,
            now=home.clock.now(),
        )
    except Exception as broken:  # noqa: BLE001 — a message that cannot be parked must not be dropped
        _log.error("task_not_parked", task=task.name, task_id=task.request.id, exc_info=broken)
        _again(task, type(broken).__name__)


def _tenant(body: dict[str, Any], home: Stack) -> str:
    """Return whose parked task it is; one that names no tenant is the configured one's to mend."""
    try:
        return tenant_id(body.get("tenant"))
    except Invalid:
        return home.settings.tenant
