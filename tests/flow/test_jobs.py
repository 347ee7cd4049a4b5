"""Jobs: one owner at a time, an audience, and a dead owner costs seconds (DESIGN §6.2)."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from app.core.instants import DAY, MINUTE, SECOND
from app.core.states import Status
from app.flow.change import tenants_with_work
from app.flow.jobs import (
    Audience,
    JobState,
    Lease,
    LeaseLost,
    _try_lease,
    list_jobs,
    park_task,
    queue_check,
    read_progress,
    retry_job,
    show_job,
)
from app.flow.recheck import ask_check, run_job
from app.ports import Tx
from tests.builders import CAP, Cite, Said, World, refused
from tests.dumps import Graph
from tests.fakes import PausedStore
from tests.flow.acts import supersede
from tests.flow.conftest import Stores, Worlds


def waiting(world: World) -> str:
    """Save an answer, whose first check waits; return its id."""
    return world.saved(Said("a", ()), question=f"At {world.clock.advance(1)}?")


def finish(world: World, lease: Lease) -> None:
    """Finish a leased job in a transaction of its own."""
    world.store.write(lambda tx: lease.finish(tx, now=1))


def test_a_job_has_one_owner_however_many_ask_at_once(world: World, stores: Stores) -> None:
    for _ in range(3):
        waiting(world)
        with ThreadPoolExecutor(8) as pool:
            leases = list(pool.map(World.lease, [world.on(stores()) for _ in range(8)]))
        [lease] = [each for each in leases if each is not None]
        run_job(world.rechecker(), lease)


def test_the_job_that_was_queued_first_is_leased_first_in_whatever_order_they_were_stored(
    world: World,
) -> None:
    for now in (3, 1, 4, 2):
        queue = partial(queue_check, tenant=world.tenant, ids=["a"], now=now, job_id=f"j{now}")
        world.store.write(queue)
    listed = list_jobs(world.store, world.tenant, state=JobState.OPEN)
    assert [job.job_id for job in listed] == ["j1", "j2", "j3", "j4"]
    leased = [world.lease() for _ in listed]
    assert [lease.job_id for lease in leased if lease] == ["j1", "j2", "j3", "j4"]


@pytest.mark.parametrize("audience", [Audience.WORKER, Audience.CONNECTOR, Audience.CLARIFY])
def test_no_other_audience_leases_a_check_even_if_it_knows_its_id(
    world: World, audience: Audience
) -> None:
    """The audience is compared in Cypher, when jobs are looked for and again when one is taken."""
    waiting(world)
    assert world.lease(audience=audience) is None
    [job] = list_jobs(world.store, world.tenant, state=JobState.OPEN)
    now = world.real.now()
    tried = world.store.write(
        lambda tx: _try_lease(
            tx, world.tenant, job.job_id, audience, "token", now=now, until=now + MINUTE
        )
    )
    assert tried is None
    assert world.lease() is not None


def test_another_tenant_leases_nothing(worlds: Worlds) -> None:
    world, other = worlds(), worlds()
    waiting(world)
    assert other.lease() is None


def test_an_expired_lease_is_offered_again_and_not_before(world: World) -> None:
    waiting(world)
    first = world.leased(seconds=6)
    assert world.lease() is None
    world.real.advance(5.999)
    assert world.lease() is None
    world.real.advance(0.001)
    second = world.leased()
    assert (second.job_id, second.attempts) == (first.job_id, 2)
    assert second.token != first.token


def test_a_tenant_is_relayed_from_the_instant_at_which_a_job_of_it_may_run(world: World) -> None:
    def relayed() -> bool:
        return world.tenant in tenants_with_work(world.store, now=world.real.now())

    waiting(world)
    assert relayed()
    world.leased(seconds=6)
    world.real.advance(5.999)
    assert not relayed()
    world.real.advance(0.001)
    assert relayed()
    world.run_jobs()
    world.real.advance(61)
    assert not relayed()


def test_a_renewed_lease_is_kept_and_a_lost_one_cannot_be_renewed(world: World) -> None:
    waiting(world)
    lease = world.leased(seconds=6)
    world.real.advance(5)
    assert lease.renew(world.store, until=world.real.now() + 6 * SECOND)
    world.real.advance(5)
    assert world.lease() is None
    world.real.advance(1)
    world.leased()
    assert not lease.renew(world.store, until=world.real.now() + 6 * SECOND)


def test_a_paused_owner_that_wakes_up_commits_nothing(world: World, graph: Graph) -> None:
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.dispatch()
    paused = world.leased(seconds=6)
    world.real.advance(6)
    held = world.leased()
    before = graph.dump(world.tenant)
    with pytest.raises(LeaseLost):
        run_job(world.rechecker(), paused)
    with pytest.raises(LeaseLost):
        finish(world, paused)
    paused.put_back(world.store, reason="?", now=0, max_attempts=1)
    assert graph.dump(world.tenant) == before

    run_job(world.rechecker(), held)
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE


@pytest.mark.parametrize("rounds", [20, pytest.param(200, marks=pytest.mark.proof)])
def test_of_many_owners_paused_anywhere_none_commits_once_its_lease_went_to_another(
    world: World, graph: Graph, rounds: int
) -> None:
    """Each is paused before a random read or transaction; a commit writes one audit event."""
    chance = random.Random(rounds)
    saved = world.two_claims()
    left: list[int] = []

    def others() -> None:
        world.real.advance(6)
        run_job(world.rechecker(), world.leased())
        left.append(graph.count(world.tenant, "AuditEvent"))

    def checked_with(store: PausedStore) -> None:
        world.clock.advance(1)
        world.version("cap", f"At {world.clock.at}.")
        world.dispatch()
        run_job(world.on(store).rechecker(), world.leased(seconds=6))

    undisturbed = PausedStore(world.store, 0, others)
    checked_with(undisturbed)
    for _ in range(rounds):
        paused = PausedStore(world.store, chance.randint(1, undisturbed.calls), others)
        with pytest.raises(LeaseLost):
            checked_with(paused)
        assert graph.count(world.tenant, "AuditEvent") == left.pop()
    assert len(world.show(saved.answer_id).history) == 1 + 1 + rounds
    assert left == []


def test_a_job_put_back_is_offered_after_a_growing_pause_then_parked(world: World) -> None:
    waiting(world)
    for pause in (2, 4):
        lease = world.leased()
        state = lease.put_back(world.store, reason="no", now=world.real.now(), max_attempts=3)
        assert state is JobState.OPEN
        assert world.lease() is None
        world.real.advance(pause)
    lease = world.leased()
    state = lease.put_back(world.store, reason="no luck", now=world.real.now(), max_attempts=3)
    assert state is JobState.PARKED
    world.real.advance(3600)
    assert world.lease() is None
    [parked] = list_jobs(world.store, world.tenant, state=JobState.PARKED)
    assert (parked.job_id, parked.reason, parked.attempts) == (lease.job_id, "no luck", 3)


def test_a_parked_job_is_retried_by_hand_and_counts_anew(world: World) -> None:
    answer_id = waiting(world)
    lease = world.leased()
    lease.put_back(world.store, reason="no", now=0, max_attempts=1)
    retry_job(world.store, world.tenant, lease.job_id)
    assert world.leased().attempts == 1
    world.real.advance(61)
    [checked] = world.run_jobs()
    assert checked.answer_id == answer_id
    assert refused(lambda: retry_job(world.store, world.tenant, lease.job_id)).code == (
        "JOB_NOT_FOUND"
    )


def test_a_parked_task_gives_its_payload_back_once(world: World) -> None:
    for _ in range(2):
        park_task(
            world.store,
            world.tenant,
            task_id="task-1",
            name="telha.save_answer",
            payload_json='{"x": 1}',
            reason="PAYLOAD_INVALID",
            now=7,
        )
    [parked] = list_jobs(world.store, world.tenant, state=JobState.PARKED)
    assert (parked.kind, parked.reason) == ("telha.save_answer", "PAYLOAD_INVALID")
    assert world.lease() is None
    retried = retry_job(world.store, world.tenant, "task-1")
    assert (retried.kind, retried.payload_json) == ("telha.save_answer", '{"x": 1}')
    assert list_jobs(world.store, world.tenant, state=JobState.PARKED) == []
    assert world.lease() is None


def test_a_job_shows_its_answers_and_the_changes_it_is_because_of(
    world: World, graph: Graph
) -> None:
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.version("sky", "grey")
    world.dispatch()
    [job] = list_jobs(world.store, world.tenant, state=JobState.OPEN)
    shown = show_job(world.store, world.tenant, job.job_id)
    assert shown.ids == (saved.answer_id,)
    opened = "MATCH (c:Change {tenant: $tenant}) WHERE c.seq = 2 RETURN c.change_id AS id"
    assert sorted(shown.changes) == sorted(row["id"] for row in graph.rows(opened, world.tenant))
    assert refused(lambda: show_job(world.store, world.tenant, "none")).code == "JOB_NOT_FOUND"


def test_the_longest_waiting_job_comes_first(world: World) -> None:
    waiting(world)
    late = world.leased()
    late.put_back(world.store, reason="later", now=world.real.now(), max_attempts=9)
    answer_id = waiting(world)
    world.real.advance(10)
    assert world.leased().wanted(world.store) == [answer_id]


def test_a_check_that_was_asked_for_is_queued_once_under_its_id(world: World) -> None:
    saved = world.two_claims()
    for _ in range(2):
        ask_check(world.store, world.tenant, saved.answer_id, now=1, job_id="asked-1")
    assert [each.answer_id for each in world.run_jobs()] == [saved.answer_id]
    world.delete(saved.answer_id)
    refusal = refused(lambda: ask_check(world.store, world.tenant, saved.answer_id, now=1))
    assert refusal.code == "ANSWER_NOT_FOUND"


def test_a_lease_of_another_job_does_not_finish_this_one(world: World) -> None:
    waiting(world)
    lease = world.leased()
    forged = Lease(world.tenant, lease.job_id, lease.kind, lease.why, "another token", 1)
    with pytest.raises(LeaseLost):
        finish(world, forged)
    finish(world, lease)
    finish(world, lease)  # as after a reply that was lost


def test_a_finished_job_is_nobodys(world: World) -> None:
    waiting(world)
    lease = world.leased()
    finish(world, lease)
    with pytest.raises(LeaseLost):
        world.store.write(lease.hold)
    assert not lease.renew(world.store, until=world.real.now() + MINUTE)
    lease.put_back(world.store, reason="late", now=1, max_attempts=9)
    job = show_job(world.store, world.tenant, lease.job_id)
    assert (job.state, job.reason) == (JobState.DONE, None)


def test_a_job_that_was_finished_meanwhile_is_not_leased(world: World) -> None:
    waiting(world)
    lease = world.leased()
    finish(world, lease)
    late = world.real.now() + DAY

    def again(tx: Tx) -> Lease | None:
        audience = Audience.INTERNAL
        return _try_lease(tx, world.tenant, lease.job_id, audience, "x", now=late, until=late)

    assert world.store.write(again) is None


def test_jobs_of_another_audience_are_in_nobodys_way(world: World, graph: Graph) -> None:
    waiting(world)
    graph.rows(
        "UNWIND range(1, 100) AS n CREATE (:Job {tenant: $tenant, job_id: 'c' + toString(n), "
        "kind: 'fetch', audience: 'connector', state: 'open', run_at: -1, attempts: 0, ids: [], "
        "created_at: 0})",
        world.tenant,
    )
    assert world.leased().kind == "check:answer"


def test_a_job_wants_no_answer_that_is_deleted_or_superseded(world: World, graph: Graph) -> None:
    ids = [waiting(world) for _ in range(4)]
    world.settle()
    world.store.write(lambda tx: queue_check(tx, world.tenant, ids, now=world.clock.now()))
    lease = world.leased()
    world.delete(ids[0])
    supersede(world, graph, ids[1], ids[2])
    assert lease.wanted(world.store) == sorted(ids[2:])


def test_the_commit_that_checks_the_last_answer_finishes_its_job(world: World) -> None:
    """A worker that dies right after it leaves nothing to be done again."""
    waiting(world)
    lease = world.leased()
    world.rechecker().check(world.tenant, lease.wanted(world.store), lease=lease)
    assert show_job(world.store, world.tenant, lease.job_id).state == JobState.DONE
    assert list_jobs(world.store, world.tenant, state=JobState.OPEN) == []


def test_a_commit_that_leaves_an_answer_holds_its_job(world: World) -> None:
    """What one of two rests on moves between reading and commit: the other's is not the last."""
    ids = [
        world.answer(Said(CAP, [Cite(name, world.version(name, CAP).tx, "€2m")])) for name in "ab"
    ]
    world.store.write(lambda tx: queue_check(tx, world.tenant, ids, now=world.clock.now()))
    lease, seen = world.leased(), []

    def look() -> None:
        seen.append(show_job(world.store, world.tenant, lease.job_id).state)

    moved = PausedStore(world.store, nth=5, others=lambda: world.version("a", "€5m"))
    told = world.on(PausedStore(moved, nth=6, others=look)).rechecker()
    done = told.check(world.tenant, ids, lease=lease)
    assert seen == [JobState.OPEN]
    assert sorted(each.answer_id for each in done) == sorted(ids)
    look()
    assert seen == [JobState.OPEN, JobState.DONE]


def test_progress_counts_what_a_tenant_has_to_do_and_nothing_else(worlds: Worlds) -> None:
    world, other = worlds(), worlds()

    def told(*, later: int = 0) -> list[int | None]:
        found = read_progress(world.store, world.tenant, now=world.clock.now() + later)
        return [
            found.open_changes,
            found.open_jobs,
            found.parked_jobs,
            found.open_windows,
            found.due_answers,
            found.oldest_change_at,
        ]

    def parked(tenant: str) -> None:
        park_task(world.store, tenant, task_id="t", name="n", payload_json="{}", reason="r", now=7)

    other.two_claims()
    other.version("cap", "The cap is €5m.")
    other.settle()
    other.version("cap", "The cap is €6m.")
    waiting(other)
    parked(other.tenant)
    assert told() == [0, 0, 0, 0, 0, None]

    world.two_claims()
    settled = told()
    first = world.clock.advance(1)
    world.version("cap", "The cap is €5m.")
    world.clock.advance(1)
    world.version("cap", "The cap is €6m.")
    waiting(world)
    parked(world.tenant)
    assert settled[:3] == [0, 0, 0]
    assert told() == [2, 1, 1, 0, 0, first]
    world.settle()
    assert told() == [0, 0, 1, 1, 0, None]
    world.close_windows()
    retry_job(world.store, world.tenant, "t")
    assert told() == [0, 0, 0, 0, 0, None]
    due_in = 7 * DAY
    assert told(later=due_in - 61 * SECOND - 1)[4] == 0
    assert told(later=due_in - 61 * SECOND)[4] == 2
    assert told(later=due_in)[4] == 2
