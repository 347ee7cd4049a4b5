"""Confirm: a due answer that still is current is found so by one statement (DESIGN §5).

Most of what a sweep finds due was touched by nobody. Where no seq moved, no boundary passed, every
citation wins and nothing is disputed, a check would find what the last one found: one statement
says so for many answers, under their locks, and whatever it leaves out is read and decided.
"""

from collections.abc import Sequence
from functools import partial

from app.core.states import Status
from app.core.values import derived_id
from app.flow.jobs import Lease
from app.flow.save import AnswerEvent, log_answer_event
from app.graph.queries import recheck as q
from app.payloads.answers import Checked
from app.ports import Store, Tx


def confirm_unmoved(
    store: Store, tenant: str, ids: Sequence[str], lease: Lease, *, now: int, max_age: int
) -> list[Checked]:
    """Note a check at ``now`` (µs) on the current ones of ``ids`` that nothing can have moved.

    The others are left as they are, for a check. ``max_age`` is in µs. Raises ``LeaseLost``.
    """
    return store.write(
        partial(_confirm, tenant=tenant, ids=sorted(ids), lease=lease, now=now, max_age=max_age)
    )


def _confirm(
    tx: Tx, *, tenant: str, ids: list[str], lease: Lease, now: int, max_age: int
) -> list[Checked]:
    token = derived_id("lock", tenant, now)
    [confirmed] = tx.run(
        q.CONFIRM_UNMOVED, tenant=tenant, ids=ids, token=token, now=now, max_age=max_age
    )
    answers = confirmed.answer_ids
    lease.secure(tx, last=len(answers) == len(ids), now=now)
    if not answers:
        return []
    outcomes = [f"{Status.CURRENT}, unchanged"] * len(answers)
    event = AnswerEvent("answer.checked", now, answers, outcomes, on=[], why=lease.why)
    log_answer_event(tx, tenant, event)
    return [
        Checked(answer_id=each, status=Status.CURRENT, changed=False, transition=False)
        for each in answers
    ]
