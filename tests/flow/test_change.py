"""Dispatch: the outbox is followed to exactly the answers that a change touches (DESIGN §6.1–2)."""

from concurrent.futures import ThreadPoolExecutor

from app.config import AnswersSettings
from app.core.states import Status
from app.flow.change import tenants_with_work
from app.flow.jobs import JobState, list_jobs, show_job
from app.flow.recheck import run_job
from tests.builders import Cite, Said, World
from tests.dumps import Graph
from tests.flow.acts import supersede
from tests.flow.conftest import Stores, Worlds


def answers_on(world: World, source_id: str, number: int) -> list[str]:
    """Save and check answers that rest on the version of a source that this stores."""
    told = world.version(source_id, "It is so.")
    return [
        world.answer(Said(f"Answer {nth}.", [Cite(source_id, told.tx, "so")]))
        for nth in range(number)
    ]


def open_ids(world: World) -> list[tuple[str, ...]]:
    """Return the answers of each job that waits."""
    jobs = list_jobs(world.store, world.tenant, state=JobState.OPEN)
    return [show_job(world.store, world.tenant, job.job_id).ids for job in jobs]


def test_a_change_queues_exactly_the_answers_that_watch_its_source(worlds: Worlds) -> None:
    world, stranger = worlds(), worlds()
    touched = answers_on(world, "cap", 2)
    answers_on(world, "sky", 1)
    answers_on(stranger, "cap", 1)
    world.version("cap", "Not so.")
    assert (world.dispatch().changes, len(open_ids(world))) == (1, 1)
    assert sorted(open_ids(world)[0]) == sorted(touched)
    assert stranger.dispatch().changes == 0


def test_a_superseded_answer_is_neither_queued_nor_checked(world: World, graph: Graph) -> None:
    old, new = answers_on(world, "cap", 2)
    world.version("cap", "Not so.")
    world.dispatch()
    lease = world.leased()
    supersede(world, graph, old, new)
    world.version("cap", "Not so either.")
    world.dispatch()
    assert open_ids(world).count((new,)) == 1
    assert not any((old,) == ids for ids in open_ids(world))
    assert [each.answer_id for each in run_job(world.rechecker(), lease)] == [new]
    assert world.check(old) == []
    assert world.status(old) is Status.SUPERSEDED


def test_a_job_holds_no_more_answers_than_a_batch(world: World) -> None:
    world.answers = AnswersSettings(enabled=True, recheck_batch_size=2)
    touched = answers_on(world, "cap", 5)
    world.version("cap", "Not so.")
    assert world.dispatch().jobs == 3
    assert sorted(len(ids) for ids in open_ids(world)) == [1, 2, 2]
    assert sorted(each for ids in open_ids(world) for each in ids) == sorted(touched)
    assert len(world.run_jobs()) == 5


def test_a_change_of_what_nobody_watches_is_done_without_a_job(world: World) -> None:
    world.version("cap", "x")
    relayed = world.dispatch()
    assert (relayed.changes, relayed.jobs) == (1, 0)
    assert open_ids(world) == []
    assert world.dispatch().changes == 0


def test_dispatching_again_doubles_nothing(world: World, graph: Graph) -> None:
    answers_on(world, "cap", 1)
    world.version("cap", "Not so.")
    world.dispatch()
    before = graph.dump(world.tenant)
    assert world.dispatch().jobs == 0
    assert graph.dump(world.tenant) == before


def test_eight_that_dispatch_at_once_double_nothing(
    world: World, graph: Graph, stores: Stores
) -> None:
    sources = [f"s{nth}" for nth in range(6)]
    answers = [answers_on(world, source_id, 1)[0] for source_id in sources]
    for round_ in range(3):
        for source_id in sources:
            world.version(source_id, f"Now {round_}.")
        with ThreadPoolExecutor(8) as pool:
            relayed = list(pool.map(World.dispatch, [world.on(stores()) for _ in range(8)]))
        queued = [each for ids in open_ids(world) for each in ids]
        assert sorted(queued) == sorted(answers)
        assert sum(each.jobs for each in relayed) == len(open_ids(world))
        world.run_jobs()
    because = (
        "MATCH (c:Change {tenant: $tenant})<-[b:BECAUSE]-(:Job) RETURN c.change_id, count(b) AS n"
    )
    assert {row["n"] for row in graph.rows(because, world.tenant)} == {1}


def test_an_answer_that_covered_the_change_meanwhile_is_not_queued(world: World) -> None:
    [answer_id] = answers_on(world, "cap", 1)
    world.version("cap", "Not so.")
    world.check(answer_id)
    assert world.dispatch().jobs == 0


def test_a_job_skips_an_answer_that_another_check_covered_meanwhile(world: World) -> None:
    [answer_id] = answers_on(world, "cap", 1)
    world.version("cap", "Not so.")
    world.dispatch()
    world.check(answer_id)
    assert run_job(world.rechecker(), world.leased()) == []


def test_a_change_that_arrives_during_a_check_leads_to_another(world: World) -> None:
    [answer_id] = answers_on(world, "cap", 1)
    world.version("cap", "Not so.")
    world.dispatch()
    lease = world.leased()
    last = world.version("cap", "Not so either.")
    world.dispatch()
    run_job(world.rechecker(), lease)
    world.settle()
    [claim] = world.show(answer_id).claims
    assert claim.last_change_tx == last.tx
    assert world.status(answer_id) is Status.STALE


def test_a_change_stored_while_no_one_dispatched_is_found_later(world: World) -> None:
    [answer_id] = answers_on(world, "cap", 1)
    for nth in range(3):
        world.version("cap", f"Not so {nth}.")
    assert world.tenant in tenants_with_work(world.store, now=world.real.now())
    assert world.status(answer_id) is Status.CURRENT
    world.settle()
    assert world.status(answer_id) is Status.STALE
    assert world.tenant not in tenants_with_work(world.store, now=world.real.now())


def test_more_changes_than_a_page_are_all_dispatched(world: World) -> None:
    [answer_id] = answers_on(world, "cap", 1)
    for nth in range(205):
        world.version(f"s{nth}", "x")
    world.version("cap", "Not so.")
    assert world.dispatch().changes == 206
    world.settle()
    assert world.status(answer_id) is Status.STALE
