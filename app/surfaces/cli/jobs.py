"""``telha jobs``: durable work, and what waits for a person."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from app.core.errors import Unavailable
from app.core.values import key
from app.flow import jobs
from app.flow.jobs import JobState
from app.payloads.base import Payload
from app.payloads.jobs import JobView
from app.surfaces.cli.shared import AsJson, Session, Tenant, example, group, session
from app.surfaces.cli.text import Listing, facts, when

app = group("See what the workers have to do; retry what was parked.")

JobId = Annotated[str, typer.Argument(metavar="ID", help="The job's id.")]


class Retrying(Payload):
    """A job that is offered again; ``sent`` where it was a task, which went back to the broker."""

    job_id: str
    kind: str
    sent: bool


@app.command(epilog=example("telha jobs ls --state parked"))
def ls(
    state: Annotated[JobState, typer.Option("--state", help="Which jobs.")] = JobState.OPEN,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many at most.")] = 100,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List the jobs in one state, the longest waiting first."""
    with session(tenant, as_json) as on:
        on.show(jobs.list_jobs(on.stack.store, on.tenant, state=state, page=limit), _listed)


@app.command(epilog=example("telha jobs show 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def show(job_id: JobId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show one job with the answers and changes that it is about."""
    with session(tenant, as_json) as on:
        on.show(jobs.show_job(on.stack.store, on.tenant, key(job_id, field="jobId")), _shown)


@app.command(epilog=example("telha jobs retry 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def retry(job_id: JobId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Offer a parked job again; a parked task is sent to the broker again."""
    with session(tenant, as_json) as on:
        named = key(job_id, field="jobId")
        job = jobs.retry_job(on.stack.store, on.tenant, named)
        if job.payload_json is None:
            on.stack.wake.jobs(on.tenant)
        else:
            _send_again(on, named, job.kind, job.payload_json)
        done = Retrying(job_id=named, kind=job.kind, sent=job.payload_json is not None)
        on.show(done, _retrying)


def _send_again(on: Session, job_id: str, kind: str, payload_json: str) -> None:
    """Send a parked task again; where no broker takes it, it is parked as before."""
    from app.worker.send import send_task  # noqa: PLC0415 — keeps --help and completion quick

    try:
        send_task(on.stack.settings, kind, json.loads(payload_json))
    except Unavailable as refused:
        jobs.park_task(
            on.stack.store,
            on.tenant,
            task_id=job_id,
            name=kind,
            payload_json=payload_json,
            reason=f"{refused.code}: {refused.message}",
            now=on.stack.clock.now(),
        )
        raise


def _listed(found: Sequence[JobView]) -> Listing:
    columns = ("job", "kind", "why", "state", "answers", "attempts", "created", "reason")
    return Listing(
        columns,
        [
            (
                job.job_id,
                job.kind,
                job.why,
                job.state,
                job.answers,
                job.attempts,
                when(job.created_at),
                job.reason,
            )
            for job in found
        ],
    )


def _shown(job: JobView) -> Table:
    return facts(
        [
            ("job", job.job_id),
            ("kind", job.kind),
            ("why", job.why),
            ("state", job.state),
            ("attempts", job.attempts),
            ("created", when(job.created_at)),
            ("reason", job.reason),
            ("answers", "\n".join(job.ids) or None),
            ("changes", "\n".join(job.changes) or None),
        ]
    )


def _retrying(done: Retrying) -> Table:
    told = "sent to the broker again" if done.sent else "open again"
    return facts([("job", done.job_id), ("kind", done.kind), ("now", told)])
