"""Draining: one job of a tenant after another under renewed leases, for a slice of time."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from app.core.errors import TelhaError
from app.core.instants import SECOND
from app.flow.jobs import Audience, Lease, LeaseLost, lease_job
from app.flow.recheck import run_job
from app.flow.refresh import REFRESH
from app.wiring import Stack

SLICE: Final = 0.05
"""Seconds that a message serves a tenant: shorter than a full job, so others wait for one."""
_log = structlog.get_logger(__name__)


def drain(stack: Stack, tenant: str) -> None:
    """Run the tenant's waiting jobs for a slice of time, then queue up behind the other tenants.

    A second job that waits wakes another worker, so that a backlog gets as many as are free.
    """
    until = time.monotonic() + SLICE
    lease = _lease(stack, tenant)
    while lease is not None:
        _run(stack, lease)
        over = time.monotonic() > until
        lease = None if over else _lease(stack, tenant)
        if over or lease is not None:
            stack.wake.jobs(tenant)


@contextmanager
def renewed(stack: Stack, lease: Lease) -> Iterator[None]:
    """Keep a lease while the block runs, from a thread: only a dead or stopped owner loses it."""
    done = threading.Event()
    keeper = threading.Thread(target=_keep, args=(stack, lease, done), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        done.set()
        keeper.join()


def _run(stack: Stack, lease: Lease) -> None:
    most = stack.settings.worker.max_attempts
    try:
        if lease.attempts > most:
            _put_back(stack, lease, f"its worker died {most} times")
            return
        with renewed(stack, lease):
            if lease.kind == REFRESH:
                stack.refresher().run(lease)
            else:
                run_job(stack.rechecker(), lease)
    except LeaseLost:
        _log.warning("lease_lost", tenant=lease.tenant, job_id=lease.job_id)
    except TelhaError as refused:
        _put_back(stack, lease, f"{refused.code}: {refused}")
    except Exception as broken:  # noqa: BLE001 — one bad job must not stop those behind it
        _log.error("job_failed", tenant=lease.tenant, job_id=lease.job_id, exc_info=broken)
        _put_back(stack, lease, f"UNEXPECTED: {type(broken).__name__}")


def _put_back(stack: Stack, lease: Lease, reason: str) -> None:
    most = stack.settings.worker.max_attempts
    state = lease.put_back(stack.store, reason=reason, now=stack.real.now(), max_attempts=most)
    _log.warning("job_put_back", job_id=lease.job_id, tenant=lease.tenant, state=state)


def _keep(stack: Stack, lease: Lease, done: threading.Event) -> None:
    pause = stack.settings.worker.lease_seconds / 3
    while not done.wait(pause):
        try:
            if not lease.renew(stack.store, until=stack.real.now() + _length(stack)):
                return
        except TelhaError as refused:
            _log.warning("lease_not_renewed", job_id=lease.job_id, why=refused.code)


def _lease(stack: Stack, tenant: str) -> Lease | None:
    now = stack.real.now()
    return lease_job(
        stack.store, tenant, audience=Audience.INTERNAL, now=now, until=now + _length(stack)
    )


def _length(stack: Stack) -> int:
    return stack.settings.worker.lease_seconds * SECOND
