"""Watch: what no change announces is found by its due time; sweep and expiry in one (DESIGN §5)."""

import uuid
from typing import Final

from app.config import AnswersSettings
from app.core.instants import MINUTE
from app.graph.queries import job as q
from app.payloads.jobs import Relayed
from app.ports import Clock, Store

_PUT_OFF: Final = 10 * MINUTE


def check_due(store: Store, clock: Clock, tenant: str, *, settings: AnswersSettings) -> Relayed:
    """Queue a check of each answer of a tenant that is due: too old, expiring, or to be retried.

    Each is put off by ten minutes meanwhile; its check sets when it is due next.
    """
    due = 0
    now = clock.now()
    while True:
        job_id, token = str(uuid.uuid4()), str(uuid.uuid4())
        [leased] = store.write(
            lambda tx, job_id=job_id, token=token: tx.run(  # type: ignore[misc]  # bound per round
                q.LEASE_DUE,
                tenant=tenant,
                now=now,
                until=now + _PUT_OFF,
                batch=settings.recheck_batch_size,
                token=token,
                job_id=job_id,
                run_at=0,
            )
        )
        due += leased.answers
        if leased.answers < settings.recheck_batch_size:
            return Relayed(due=due, jobs=-(-due // settings.recheck_batch_size))


def tenants_with_answers(store: Store) -> list[str]:
    """Return every tenant that ever saved an answer."""
    return [row.tenant for row in store.read(q.ANSWER_TENANTS)]
