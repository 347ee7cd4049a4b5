"""Jobs: durable work with leases, so that a dead worker costs seconds (DESIGN §6.2).

Lease times are of the real clock; the stack's settable clock would stop them.
"""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from app.core.errors import NotFound, Unavailable
from app.core.instants import SECOND
from app.graph.queries import job as q
from app.payloads.jobs import JobView, Progress
from app.ports import Store, Tx

_PAGE: Final = 32


class Audience(StrEnum):
    """Who may lease a job. ``check:answer`` is for ``INTERNAL`` alone (seed §6)."""

    INTERNAL = "internal"
    WORKER = "worker"
    CONNECTOR = "connector"
    CLARIFY = "clarify"


class JobState(StrEnum):
    """Where a job stands; a leased one is open until its lease ends."""

    OPEN = "open"
    DONE = "done"
    PARKED = "parked"


class LeaseLost(Unavailable):
    """The lease of a job ran out while it ran; whoever holds it now does the work."""

    def __init__(self, job_id: str) -> None:
        super().__init__("LEASE_LOST", f"the lease of job {job_id} ran out; nothing was committed")


@dataclass(frozen=True, slots=True)
class Lease:
    """A leased job: its ``token`` proves the lease, ``attempts`` counts the leases so far."""

    tenant: str
    job_id: str
    kind: str
    why: str | None
    token: str
    attempts: int

    def hold(self, tx: Tx) -> None:
        """Lock the job within a transaction; raise ``LeaseLost`` where the lease is gone."""
        if not tx.run(q.HOLD_JOB, tenant=self.tenant, job_id=self.job_id, token=self.token):
            raise LeaseLost(self.job_id)

    def secure(self, tx: Tx, *, last: bool, now: int) -> None:
        """Finish the job with what is committed ``last``, else hold it; raise ``LeaseLost``."""
        if last:
            self.finish(tx, now=now)
        else:
            self.hold(tx)

    def wanted(self, store: Store) -> list[str]:
        """Return the answers of the job that still want its check."""
        [wanted] = store.read(q.READ_WANTED, tenant=self.tenant, job_id=self.job_id)
        return wanted.answer_ids

    def renew(self, store: Store, *, until: int) -> bool:
        """Prolong the lease to ``until`` (µs, real clock); false where it is gone."""
        return bool(
            store.write(
                lambda tx: tx.run(
                    q.RENEW_JOB,
                    tenant=self.tenant,
                    job_id=self.job_id,
                    token=self.token,
                    until=until,
                )
            )
        )

    def finish(self, tx: Tx, *, now: int) -> None:
        """Mark the job done within a transaction, again if need be; raise ``LeaseLost``."""
        if not tx.run(
            q.FINISH_JOB, tenant=self.tenant, job_id=self.job_id, token=self.token, now=now
        ):
            raise LeaseLost(self.job_id)

    def put_back(self, store: Store, *, reason: str, now: int, max_attempts: int) -> JobState:
        """Offer the job again after a pause that grows, or park it after ``max_attempts``."""
        parked = self.attempts >= max_attempts
        state = JobState.PARKED if parked else JobState.OPEN
        pause = min(2 ** min(self.attempts, 6), 60) * SECOND
        store.write(
            lambda tx: tx.run(
                q.PUT_BACK_JOB,
                tenant=self.tenant,
                job_id=self.job_id,
                token=self.token,
                state=state,
                run_at=now + pause,
                reason=reason,
            )
        )
        return state


def lease_job(
    store: Store, tenant: str, *, audience: Audience, now: int, until: int
) -> Lease | None:
    """Lease the longest waiting job of a tenant that ``audience`` may run; ``None`` if none is.

    The one way to a job. The audience is compared in Cypher, so no caller can lease what is not
    meant for it. ``now`` and ``until`` are µs of the real clock.
    """
    token = str(uuid.uuid4())

    def work(tx: Tx) -> Lease | None:
        found = tx.run(q.READ_OPEN_JOBS, tenant=tenant, audience=audience, now=now, page=_PAGE)
        tried = (
            _try_lease(tx, tenant, job.job_id, audience, token, now=now, until=until)
            for job in found
        )
        return next(filter(None, tried), None)

    return store.write(work)


def queue_check(
    tx: Tx, tenant: str, ids: Sequence[str], *, now: int, job_id: str | None = None
) -> None:
    """Queue one check of some answers within a transaction, once under its id where it has one."""
    tx.run(
        q.CREATE_JOB,
        tenant=tenant,
        job_id=job_id or str(uuid.uuid4()),
        ids=sorted(ids),
        now=now,
        run_at=0,
    )


def park_task(
    store: Store, tenant: str, *, task_id: str, name: str, payload_json: str, reason: str, now: int
) -> None:
    """Park a task that cannot be done as it was sent; ``telha jobs`` shows and retries it."""
    store.write(
        lambda tx: tx.run(
            q.PARK_TASK,
            tenant=tenant,
            job_id=task_id,
            kind=name,
            payload_json=payload_json,
            reason=reason,
            now=now,
        )
    )


def list_jobs(store: Store, tenant: str, *, state: JobState, page: int = 100) -> list[JobView]:
    """Return up to ``page`` jobs of a tenant in one state, the longest waiting first."""
    rows = store.read(q.LIST_JOBS, tenant=tenant, state=state, page=page)
    return [
        JobView(
            job_id=row.job_id,
            kind=row.kind,
            why=row.why,
            state=row.state,
            answers=row.answers,
            attempts=row.attempts,
            reason=row.reason,
            created_at=row.created_at,
        )
        for row in rows
    ]


def show_job(store: Store, tenant: str, job_id: str) -> JobView:
    """Return one job whole; raise ``NotFound`` ``JOB_NOT_FOUND``."""
    rows = store.read(q.SHOW_JOB, tenant=tenant, job_id=job_id)
    if not rows:
        raise _unknown()
    row = rows[0]
    return JobView(
        job_id=row.job_id,
        kind=row.kind,
        why=row.why,
        state=row.state,
        answers=len(row.ids),
        attempts=row.attempts,
        reason=row.reason,
        created_at=row.created_at,
        ids=tuple(row.ids),
        changes=tuple(row.changes),
    )


def retry_job(store: Store, tenant: str, job_id: str) -> q.Retried:
    """Offer a parked job again. A parked task's payload is returned, to be sent anew.

    Raises ``NotFound`` ``JOB_NOT_FOUND`` where no parked job has this id.
    """
    token = str(uuid.uuid4())
    rows = store.write(
        lambda tx: tx.run(q.RETRY_JOB, tenant=tenant, job_id=job_id, token=token, run_at=0)
    )
    if not rows:
        raise _unknown()
    return rows[0]


def read_progress(store: Store, tenant: str, *, now: int) -> Progress:
    """Return what a tenant still has to do at ``now`` (µs)."""
    [row] = store.read(q.READ_PROGRESS, tenant=tenant, now=now)
    return Progress(**asdict(row))


def _try_lease(
    tx: Tx, tenant: str, job_id: str, audience: Audience, token: str, *, now: int, until: int
) -> Lease | None:
    rows = tx.run(
        q.LEASE_JOB,
        tenant=tenant,
        job_id=job_id,
        audience=audience,
        token=token,
        now=now,
        until=until,
    )
    if not rows:
        return None
    return Lease(tenant, job_id, rows[0].kind, rows[0].why, token, rows[0].attempts)


def _unknown() -> NotFound:
    return NotFound(
        "JOB_NOT_FOUND",
        "no such job in this tenant, or it is not parked",
        field="jobId",
        hint="`telha jobs ls --state parked` lists those that wait for a person.",
    )
