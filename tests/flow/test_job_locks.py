"""Jobs: whatever decides about one waits for whoever is changing it, and sees what became of it.

Each statement is begun while another transaction holds the job and gives it to a rival; it must end
only after that one committed, and leave what the rival has.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest
from neo4j import Driver

from app.flow.jobs import Audience, JobState, Lease, LeaseLost, _try_lease, retry_job
from tests.builders import Said, World, refused
from tests.dumps import Graph
from tests.flow.rivals import after_rival

_GIVEN: Final = """
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
SET j.lease_token = 'rival', j.state = 'open', j.run_at = $run_at
"""
_STOOD: Final = "MATCH (j:Job {tenant: $tenant, job_id: $job_id}) SET j.state = $state"
_HELD: Final = """
MATCH (j:Job {tenant: $tenant, job_id: $job_id})
RETURN j {.lease_token, .state, .run_at, .attempts, .finished_at, .reason} AS held
"""


@dataclass(frozen=True)
class Deciding:
    """A statement about a job, what it tells where a rival has it, and how that stood before."""

    name: str
    call: Callable[[World, Lease], object]
    told: object
    was: JobState = JobState.OPEN


def _in_tx(work: Callable[[Lease, Any], object]) -> Callable[[World, Lease], object]:
    def call(world: World, lease: Lease) -> object:
        try:
            return world.store.write(lambda tx: work(lease, tx))
        except LeaseLost as lost:
            return lost.code

    return call


def _lease_again(world: World, lease: Lease) -> object:
    def work(tx: Any) -> Lease | None:
        return _try_lease(
            tx, world.tenant, lease.job_id, Audience.INTERNAL, "late", now=_LATER, until=_LATER + 1
        )

    return world.store.write(work)


def _retried(world: World, lease: Lease) -> object:
    return refused(lambda: retry_job(world.store, world.tenant, lease.job_id)).code


def _put_back(world: World, lease: Lease) -> object:
    lease.put_back(world.store, reason="late", now=1, max_attempts=9)
    return None


_LATER: Final = 1 << 60
DECIDING: Final = (
    Deciding("hold", _in_tx(lambda lease, tx: lease.hold(tx)), "LEASE_LOST"),
    Deciding("finish", _in_tx(lambda lease, tx: lease.finish(tx, now=1)), "LEASE_LOST"),
    Deciding("renew", lambda world, lease: lease.renew(world.store, until=1), False),
    Deciding("put back", _put_back, None),
    Deciding("lease", _lease_again, None),
    Deciding("retry", _retried, "JOB_NOT_FOUND", was=JobState.PARKED),
)


@pytest.mark.parametrize("each", DECIDING, ids=lambda each: each.name)
def test_what_decides_about_a_job_waits_for_who_changes_it(
    world: World, graph: Graph, driver: Driver, each: Deciding
) -> None:
    world.saved(Said("a", ()))
    lease = world.leased()
    graph.rows(_STOOD, world.tenant, job_id=lease.job_id, state=each.was)
    given = {"tenant": world.tenant, "job_id": lease.job_id, "run_at": _LATER + 2}
    told = after_rival(driver, _GIVEN, lambda: each.call(world, lease), **given)
    assert told == each.told
    held = graph.one(_HELD, world.tenant, job_id=lease.job_id)
    assert held == {
        "lease_token": "rival",
        "state": JobState.OPEN,
        "run_at": _LATER + 2,
        "attempts": lease.attempts,
        "finished_at": None,
        "reason": None,
    }
