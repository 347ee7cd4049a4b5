"""Watch: what no change announces is found by its due time; sweep and expiry in one (DESIGN §5)."""

import uuid
from functools import partial
from typing import Final

from app.config import AnswersSettings
from app.core.instants import MINUTE
from app.graph.queries import job as q
from app.payloads.jobs import Relayed
from app.ports import Clock, Store, Tx

_PUT_OFF: Final = 10 * MINUTE


def check_due(store: Store, clock: Clock, tenant: str, *, settings: AnswersSettings) -> Relayed:
    """Queue a check of each answer of a tenant that is due: too old, expiring, or to be retried.

    Each is put off by ten minutes meanwhile; its check sets when it is due next.
    """
    due = jobs = 0
    now = clock.now()
    while True:
        lease = partial(_lease_due, tenant=tenant, now=now, batch=settings.recheck_batch_size)
        leased = store.write(lease)
        due += leased.answers
        jobs += leased.answers > 0
        if leased.seen < settings.recheck_batch_size:
            return Relayed(due=due, jobs=jobs)


def tenants_with_answers(store: Store) -> list[str]:
    """Return every tenant that ever saved an answer."""
    return [row.tenant for row in store.read(q.ANSWER_TENANTS)]


def _lease_due(tx: Tx, *, tenant: str, now: int, batch: int) -> q.DueLeased:
    [leased] = tx.run(
        q.LEASE_DUE,
        tenant=tenant,
        now=now,
        until=now + _PUT_OFF,
        batch=batch,
        token=str(uuid.uuid4()),
        job_id=str(uuid.uuid4()),
        run_at=0,
    )
    return leased
