"""Change: the outbox is followed to exactly the answers that it touches (DESIGN §6.1–2)."""

import uuid
from functools import partial
from typing import Final

from app.config import AnswersSettings
from app.graph.queries import job as q
from app.payloads.jobs import Relayed
from app.ports import Clock, Store, Tx

_PAGE: Final = 200


def dispatch_changes(
    store: Store, clock: Clock, tenant: str, *, settings: AnswersSettings
) -> Relayed:
    """Turn every open change of a tenant into jobs for the answers that watch what it changed.

    Scans by state until a page is not full, never by a cursor, so a change that commits late is
    found: by this scan, or by the one that its own wake-up or beat's next brings.
    """
    claim = partial(_claim, tenant=tenant, batch=settings.recheck_batch_size, now=clock.now())
    changes = jobs = 0
    full = True
    while full:
        claimed = store.write(claim)
        full = claimed.changes == _PAGE
        changes, jobs = changes + claimed.changes, jobs + claimed.jobs
    return Relayed(changes=changes, jobs=jobs)


def tenants_with_work(store: Store, *, now: int) -> list[str]:
    """Return the tenants with open changes, or jobs that may run at ``now`` (µs, real clock)."""
    waiting = store.read(q.CHANGE_TENANTS) + store.read(q.JOB_TENANTS, now=now)
    return sorted({row.tenant for row in waiting})


def _claim(tx: Tx, *, tenant: str, batch: int, now: int) -> Relayed:
    page = tx.run(q.READ_OPEN_CHANGES, tenant=tenant, page=_PAGE)
    if not page:
        return Relayed(changes=0, jobs=0)
    [claimed] = tx.run(
        q.CLAIM_CHANGES,
        tenant=tenant,
        change_ids=sorted(change.change_id for change in page),
        token=str(uuid.uuid4()),
        batch=batch,
        now=now,
        run_at=0,
    )
    return Relayed(changes=len(page), jobs=claimed.jobs)
