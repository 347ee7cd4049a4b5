"""The tasks, called by name with one payload each (see ``docs/tasks.md``).

Each parses its payload and calls one flow function, nothing else; none waits on another.
"""

from typing import Any

from celery import Task, shared_task

from app.flow import change, emit, ingest, save, trace, watch
from app.flow.recheck import ask_check
from app.payloads.answers import SaveIn
from app.payloads.ingest import VersionIn
from app.payloads.jobs import Relayed
from app.payloads.tasks import CheckAnswerIn, RelayIn
from app.payloads.trace import TraceIn
from app.wiring import Stack
from app.worker.drain import drain
from app.worker.run import run


@shared_task(bind=True, name="telha.ingest_version")
def ingest_version(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Store a version or correction of a source (payload ``VersionIn``)."""
    run(task, VersionIn, (args, kwargs), _ingest_version)


@shared_task(bind=True, name="telha.add_trace")
def add_trace(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Store a trace made elsewhere (payload ``TraceIn``)."""
    run(task, TraceIn, (args, kwargs), lambda s, p: trace.add_trace(s.store, s.clock, p))


@shared_task(bind=True, name="telha.save_answer")
def save_answer(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Save the answer of a trace (payload ``SaveIn``)."""
    run(task, SaveIn, (args, kwargs), _save_answer)


@shared_task(bind=True, name="telha.check_answer")
def check_answer(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Check one answer, or run the tenant's waiting jobs (payload ``CheckAnswerIn``)."""
    run(task, CheckAnswerIn, (args, kwargs), _check_answer)


@shared_task(bind=True, name="telha.dispatch_changes")
def dispatch_changes(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Turn open changes into jobs, and wake workers for jobs that wait (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _dispatch_changes)


@shared_task(bind=True, name="telha.check_due")
def check_due(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Queue the checks of answers that are due or expiring (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _check_due)


@shared_task(bind=True, name="telha.close_emit_windows")
def close_emit_windows(task: Task[..., None], *args: Any, **kwargs: Any) -> None:
    """Close event windows that are due (payload ``RelayIn``)."""
    run(task, RelayIn, (args, kwargs), _close_emit_windows)


def _ingest_version(stack: Stack, payload: VersionIn) -> None:
    ingest.ingest_version(stack.store, stack.clock, payload)
    stack.wake(payload.tenant)


def _save_answer(stack: Stack, payload: SaveIn) -> None:
    save.save_answer(stack.store, stack.clock, payload, settings=stack.settings.answers)
    stack.wake(payload.tenant)


def _check_answer(stack: Stack, payload: CheckAnswerIn) -> None:
    if payload.answer_id is not None:
        ask_check(
            stack.store,
            payload.tenant,
            payload.answer_id,
            job_id=payload.request_id,
            now=stack.clock.now(),
        )
    if drain(stack, payload.tenant):
        stack.wake(payload.tenant)


def _dispatch_changes(stack: Stack, payload: RelayIn) -> None:
    tenants = change.tenants_with_work(stack.store, now=stack.real.now())
    for tenant in [payload.tenant] if payload.tenant else tenants:
        if stack.settings.watch.enabled:
            change.dispatch_changes(
                stack.store, stack.clock, tenant, settings=stack.settings.answers
            )
        stack.wake.jobs(tenant)


def _check_due(stack: Stack, payload: RelayIn) -> None:
    tenants = [payload.tenant] if payload.tenant else watch.tenants_with_answers(stack.store)
    for tenant in tenants:
        due = watch.check_due(stack.store, stack.clock, tenant, settings=stack.settings.answers)
        if due.jobs:
            stack.wake.jobs(tenant)


def _close_emit_windows(stack: Stack, payload: RelayIn) -> Relayed:
    now = stack.clock.now()
    tenants = emit.tenants_with_due_windows(stack.store, now=now)
    done = [
        emit.close_emit_windows(stack.store, stack.clock, tenant)
        for tenant in ([payload.tenant] if payload.tenant else tenants)
    ]
    return Relayed(emitted=sum(each.emitted for each in done))
