"""Change: the outbox is followed to exactly the answers that it touches (DESIGN §6.1–2)."""

import uuid
from typing import Final

from app.config import AnswersSettings
from app.graph.queries import job as q
from app.payloads.jobs import Relayed
from app.ports import Clock, Store

_PAGE: Final = 100


def dispatch_changes(
    store: Store, clock: Clock, tenant: str, *, settings: AnswersSettings
) -> Relayed:
    """Turn every open change of a tenant into jobs for the answers that watch what it changed.

    Scans by state until none is left, never by a cursor, so a change that commits late is found.
    """
    changes = jobs = 0
    while page := store.read(q.READ_OPEN_CHANGES, tenant=tenant, page=_PAGE):
        for change in page:
            changes += 1
            jobs += _claim(store, clock, tenant, change.change_id, settings.recheck_batch_size)
    return Relayed(changes=changes, jobs=jobs)


def tenants_with_work(store: Store, *, now: int) -> list[str]:
    """Return the tenants that have open changes, or jobs that may run at ``now`` (µs, real clock)."""
    waiting = store.read(q.CHANGE_TENANTS) + store.read(q.JOB_TENANTS, now=now)
    return sorted({row.tenant for row in waiting})


def _claim(store: Store, clock: Clock, tenant: str, change_id: str, batch: int) -> int:
    token = str(uuid.uuid4())
    rows = store.write(
        lambda tx: tx.run(
            q.CLAIM_CHANGE,
            tenant=tenant,
            change_id=change_id,
            token=token,
            batch=batch,
            now=clock.now(),
            run_at=0,
        )
    )
    return sum(row.jobs for row in rows)
