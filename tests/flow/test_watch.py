"""Watch: what no change announces is found by its due time; sweep and expiry in one (DESIGN §5)."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from app.config import AnswersSettings
from app.core.instants import DAY, MINUTE
from app.core.states import Status
from app.flow.jobs import read_progress
from app.flow.watch import tenants_with_answers
from tests.builders import Said, World
from tests.dumps import Graph
from tests.flow.acts import supersede
from tests.flow.conftest import Stores, Worlds


def test_an_answer_is_swept_when_its_last_check_is_too_old(world: World) -> None:
    saved = world.two_claims()
    world.clock.at += 7 * DAY - 1
    assert world.due().due == 0
    world.clock.at += 1
    assert world.due().due == 1
    assert [each.answer_id for each in world.settle()] == [saved.answer_id]
    shown = world.show(saved.answer_id)
    assert shown.checked_at == world.clock.now()
    assert shown.recheck_due_at == world.clock.now() + 7 * DAY
    assert len(shown.history) == 1


def test_an_answer_that_is_due_is_queued_once_and_put_off_meanwhile(world: World) -> None:
    saved = world.two_claims()
    world.clock.at += 7 * DAY
    assert world.due().due == 1
    assert world.due().due == 0
    assert world.show(saved.answer_id).recheck_due_at == world.clock.now() + 10 * MINUTE
    world.clock.at += 10 * MINUTE
    assert world.due().due == 1
    assert len(world.run_jobs()) == 1


def test_eight_that_look_at_once_queue_each_due_answer_once(world: World, stores: Stores) -> None:
    for nth in range(12):
        world.answer(Said(f"Answer {nth}."))
    world.clock.at += 7 * DAY
    world.answers = AnswersSettings(enabled=True, recheck_batch_size=5)
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(World.due, [world.on(stores()) for _ in range(8)]))
    assert sum(each.due for each in told) == 12
    assert len(world.run_jobs()) == 12


def test_more_due_answers_than_a_batch_are_all_queued(world: World) -> None:
    for nth in range(7):
        world.answer(Said(f"Answer {nth}."))
    world.answers = AnswersSettings(enabled=True, recheck_batch_size=3)
    world.clock.at += 7 * DAY
    due = world.due()
    assert (due.due, due.jobs) == (7, 3)
    assert len(world.run_jobs()) == 7


def test_superseded_answers_do_not_stand_in_the_way_of_those_that_are_due(
    world: World, graph: Graph
) -> None:
    saved = [world.answer(Said(f"Answer {nth}.")) for nth in range(5)]
    for old, new in pairwise(saved[:4]):
        supersede(world, graph, old, new)
    world.answers = AnswersSettings(enabled=True, recheck_batch_size=2)
    world.clock.at += 7 * DAY
    due = world.due()
    assert (due.due, due.jobs) == (2, 2)
    assert {each.answer_id for each in world.run_jobs()} == set(saved[3:])
    assert read_progress(world.store, world.tenant, now=world.clock.now()).due_answers == 0


def test_a_sweep_that_finds_nothing_due_queues_nothing(world: World) -> None:
    world.answer(Said("All is well."))
    assert world.due().due == 0
    assert read_progress(world.store, world.tenant, now=world.clock.now()).open_jobs == 0


def test_a_deleted_answer_is_never_due(world: World) -> None:
    saved = world.two_claims()
    world.delete(saved.answer_id)
    world.clock.at += 30 * DAY
    assert world.due().due == 0


def test_a_due_check_that_another_made_needless_is_skipped(world: World) -> None:
    saved = world.two_claims()
    world.clock.at += 7 * DAY
    world.due()
    world.check(saved.answer_id)
    assert world.run_jobs() == []


def test_the_sweep_finds_what_a_lost_change_left_behind(world: World) -> None:
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.clock.at += 7 * DAY
    world.due()
    world.run_jobs()
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE


def test_only_the_tenant_asked_about_is_swept(worlds: Worlds) -> None:
    world, other = worlds(), worlds()
    world.two_claims()
    other.two_claims()
    world.clock.at += 7 * DAY
    assert world.due().due == 1
    assert other.lease() is None
    assert {world.tenant, other.tenant} <= set(tenants_with_answers(world.store))
