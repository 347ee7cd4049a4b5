"""The tasks, called by name with one payload each (see ``docs/tasks.md``).

Each parses its payload and calls one flow function, nothing else; none waits on another.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import structlog
from celery import Task, shared_task

from app.core.errors import Invalid, Unavailable
from app.flow import change, emit, generate, index, ingest, refresh, save, trace, watch
from app.flow.recheck import ask_check
from app.payloads.answers import AnswerRef, SaveIn
from app.payloads.generate import AnswerTaskIn, AskIn
from app.payloads.ingest import VersionIn
from app.payloads.tasks import CheckAnswerIn, RelayIn
from app.payloads.trace import TraceIn
from app.wiring import Stack
from app.worker.drain import SLICE, drain
from app.worker.run import Parking, run
from app.worker.wakes import INDEX_QUEUE, send_wake, taken

_CHECK: Final = "telha.check_answer"
_DISPATCH: Final = "telha.dispatch_changes"
_CLOSE: Final = "telha.close_emit_windows"
_INDEX: Final = "telha.index_chunks"
_INDEX_SLICE: Final = 0.2  # a message counts all that waits, which a short slice would not repay
_MODEL: Final = ("GENERATOR_", "MODEL_")
_public = partial(shared_task, bind=True, base=Parking, max_retries=None)
_log = structlog.get_logger(__name__)


@_public(name="telha.ingest_version")
def ingest_version(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Store a version or correction of a source (payload ``VersionIn``)."""
    run(task, VersionIn, (args, kwargs), _ingest_version)


@_public(name="telha.add_trace")
def add_trace(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Store a trace made elsewhere (payload ``TraceIn``)."""
    run(task, TraceIn, (args, kwargs), lambda s, p: trace.add_trace(s.store, s.clock, p))


@_public(name="telha.save_answer")
def save_answer(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Save the answer of a trace (payload ``SaveIn``)."""
    run(task, SaveIn, (args, kwargs), _save_answer)


@_public(name=_CHECK)
def check_answer(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Check one answer, or run the tenant's waiting jobs (payload ``CheckAnswerIn``)."""
    run(task, CheckAnswerIn, (args, kwargs), _check_answer)


@_public(name="telha.refresh_answer")
def refresh_answer(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Make a new answer that supersedes one (payload ``AnswerRef``)."""
    run(task, AnswerRef, (args, kwargs), _refresh_answer)


@_public(name=_DISPATCH)
def dispatch_changes(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Turn open changes into jobs, and start on them (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _dispatch_changes)


@_public(name="telha.check_due")
def check_due(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Queue the checks of answers that are due or expiring (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _check_due)


@_public(name=_CLOSE)
def close_emit_windows(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Close event windows that are due (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _close_emit_windows)


@_public(name="telha.generate_answer")
def generate_answer(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Answer a question, and save the answer where that is asked for (payload ``AnswerTaskIn``)."""
    run(task, AnswerTaskIn, (args, kwargs), _generate_answer)


@_public(name=_INDEX)
def index_chunks(task: Task[..., None], /, *args: Any, **kwargs: Any) -> None:
    """Make the chunks of what waits to be indexed (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _index_chunks)


def _ingest_version(stack: Stack, payload: VersionIn) -> None:
    ingest.ingest_version(stack.store, stack.clock, payload)
    stack.wake(payload.tenant)


def _save_answer(stack: Stack, payload: SaveIn) -> None:
    save.save_answer(stack.store, stack.clock, payload, settings=stack.settings.answers)
    stack.wake(payload.tenant)


def _check_answer(stack: Stack, payload: CheckAnswerIn) -> None:
    if payload.answer_id is None:
        taken(stack.settings, _CHECK, payload.tenant)
    else:
        ask_check(
            stack.store,
            payload.tenant,
            payload.answer_id,
            job_id=payload.request_id,
            now=stack.clock.now(),
        )
    drain(stack, payload.tenant)


def _refresh_answer(stack: Stack, payload: AnswerRef) -> None:
    refresh.ask_refresh(stack.store, stack.clock, payload, configured=stack.generates)
    drain(stack, payload.tenant)


def _dispatch_changes(stack: Stack, payload: RelayIn) -> None:
    if payload.tenant is None:
        for tenant in change.tenants_with_work(stack.store, now=stack.real.now()):
            stack.wake(tenant)
        return
    taken(stack.settings, _DISPATCH, payload.tenant)
    settings = stack.settings.answers
    if stack.settings.watch.enabled:
        told = change.dispatch_changes(stack.store, stack.clock, payload.tenant, settings=settings)
        if told.jobs > 1:
            stack.wake.jobs(payload.tenant)
    drain(stack, payload.tenant)
    if stack.settings.models.indexing:
        send_wake(stack.settings, _INDEX, payload.tenant, INDEX_QUEUE)


def _generate_answer(stack: Stack, payload: AnswerTaskIn) -> None:
    """A model that fails parks the task: it has tried for a while, and trying costs."""
    ask = AskIn(**payload.model_dump(include=set(AskIn.model_fields)))
    try:
        made = generate.generate(stack.maker(), ask)
    except Unavailable as refused:
        if refused.code.startswith(_MODEL):
            raise Invalid(refused.code, refused.message, hint=refused.hint) from None
        raise
    if payload.save:
        saving = SaveIn(
            tenant=payload.tenant,
            trace_id=made.trace_id,
            title=payload.title,
            created_by_person=payload.created_by_person,
            request_id=payload.request_id,
        )
        save.save_answer(stack.store, stack.clock, saving, settings=stack.settings.answers)
        stack.wake(payload.tenant)


def _index_chunks(stack: Stack, payload: RelayIn) -> None:
    """Index for a slice of time, then queue up behind the other tenants."""
    if not stack.settings.models.indexing:
        return
    if payload.tenant is None:
        for tenant in index.tenants_waiting(stack.store):
            send_wake(stack.settings, _INDEX, tenant, INDEX_QUEUE)
        return
    taken(stack.settings, _INDEX, payload.tenant)
    indexer = stack.maker().indexer(payload.tenant)
    if not indexer.wanted():
        return
    told = indexer.run(go_on=_for_a_slice(_INDEX_SLICE))
    if told.versions or told.dropped or told.failed:
        _log.info("indexed", tenant=payload.tenant, **told.model_dump())
    if told.waiting and told.failed is None and not told.busy:
        send_wake(stack.settings, _INDEX, payload.tenant, INDEX_QUEUE)


def _check_due(stack: Stack, payload: RelayIn) -> None:
    def check(tenant: str) -> None:
        due = watch.check_due(stack.store, stack.clock, tenant, settings=stack.settings.answers)
        if due.jobs:
            stack.wake.jobs(tenant)

    named = payload.tenant
    _each([named] if named else watch.tenants_with_answers(stack.store), check)


def _close_emit_windows(stack: Stack, payload: RelayIn) -> None:
    """Close windows for a slice of time, then queue up behind the other tenants."""
    if payload.tenant is None:
        for tenant in emit.tenants_with_due_windows(stack.store, now=stack.clock.now()):
            send_wake(stack.settings, _CLOSE, tenant)
        return
    taken(stack.settings, _CLOSE, payload.tenant)
    go_on = _for_a_slice(SLICE)
    emit.close_emit_windows(stack.store, stack.clock, payload.tenant, go_on=go_on)
    if not go_on():
        send_wake(stack.settings, _CLOSE, payload.tenant)


def _each(tenants: Sequence[str], work: Callable[[str], None]) -> None:
    """Do ``work`` for every tenant, also behind one that it fails for."""
    for tenant in tenants:
        try:
            work(tenant)
        except Unavailable:
            raise
        except Exception as broken:  # noqa: BLE001 — one tenant's trouble is not the others'
            _log.error("tenant_failed", tenant=tenant, exc_info=broken)


def _for_a_slice(seconds: float) -> Callable[[], bool]:
    """Return what tells whether a slice of time that begins now still lasts."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() < until
