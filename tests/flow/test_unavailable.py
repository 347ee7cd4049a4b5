"""A store that fails at any call: nothing is half-written, and going on gives the right end."""

from collections.abc import Callable

import pytest

from app.core.states import Status
from tests.builders import Said, World
from tests.dumps import Graph
from tests.fakes import Broken, DeadlockedStore, FailingStore, LostReply
from tests.flow.test_requests import OPERATIONS, every_operation


def fails_until_it_does_not(world: World, do: Callable[[FailingStore], object]) -> int:
    """Run ``do`` with a store whose 1st, 2nd, … call fails; return the number of failures."""
    nth = 1
    while True:
        failing = FailingStore(world.store, nth)
        try:
            do(failing)
        except Broken:
            nth += 1
            continue
        assert not failing.failed
        return nth - 1


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_write_that_fails_anywhere_leaves_nothing_and_its_repeat_is_the_first_result(
    world: World, graph: Graph, operation: str
) -> None:
    store = world.store
    do = every_operation(world)[operation]
    before = graph.dump(world.tenant)

    def attempt(failing: FailingStore) -> None:
        world.store = failing
        try:
            do(requestId="r1")
        finally:
            world.store = store
            if failing.failed:
                assert graph.dump(world.tenant) == before

    assert fails_until_it_does_not(world, attempt) >= 4
    done = graph.dump(world.tenant)
    assert done != before
    do(requestId="r1")
    assert graph.dump(world.tenant) == done


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_write_whose_reply_was_lost_is_found_by_its_request_id(
    world: World, graph: Graph, operation: str
) -> None:
    do = every_operation(world)[operation]
    before = graph.dump(world.tenant)
    store, world.store = world.store, LostReply(world.store)
    with pytest.raises(Broken):
        do(requestId="r1")
    world.store = store
    written = graph.dump(world.tenant)
    assert written != before
    do(requestId="r1")
    assert graph.dump(world.tenant) == written


def test_a_change_leads_to_one_transition_wherever_dispatch_or_check_failed(
    world: World, graph: Graph
) -> None:
    saved = world.two_claims()
    nth = 0
    while True:
        nth += 1
        world.clock.advance(1)
        world.version("cap", f"It is {nth}.")
        failing = FailingStore(world.store, nth)
        try:
            world.on(failing).settle()
        except Broken:
            world.real.advance(61)
            world.settle()
        assert len(world.show(saved.answer_id).history) == 1 + nth
        if not failing.failed:
            break
    assert nth > 12
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE
    assert graph.count(world.tenant, "Emit") == 1


def test_a_window_leads_to_one_event_wherever_closing_it_failed(world: World) -> None:
    saved = world.two_claims()
    nth = 0
    while True:
        nth += 1
        world.clock.advance(1)
        world.version("cap", f"It is {nth}.")
        world.settle()
        failing = FailingStore(world.store, nth)
        try:
            world.on(failing).close_windows()
        except Broken:
            world.close_windows()
        assert [event.number for event in world.events(saved.answer_id)] == [*range(1, nth + 1)]
        if not failing.failed:
            break
    assert nth > 4


def test_a_sweep_that_failed_anywhere_is_made_up_for(world: World) -> None:
    world.answer(Said("All is well."))
    for nth in range(1, 6):
        world.clock.at = world.show(world.listed().answers[0].answer_id).recheck_due_at or 0
        failing = FailingStore(world.store, nth)
        try:
            world.on(failing).due()
        except Broken:
            world.due()
        assert len(world.run_jobs()) == 1


def scenario(world: World) -> None:
    """Some of everything, with a clock that stands between steps."""
    saved = world.two_claims()
    world.ask("cap", "q1")
    for step in (
        lambda: world.version("cap", "The cap is €5m.", requestId="r1"),
        lambda: world.override("cap", bind=saved.cap),
        lambda: world.clarify("bound", "q1", text="x"),
        lambda: world.end("sky"),
        lambda: world.cascade("sky"),
        lambda: world.version("sky", "afresh"),
    ):
        world.clock.advance(30)
        step()
        world.settle()
        world.close_windows(after=40)
    world.delete(world.answer(Said("Gone.")))


def test_a_transaction_that_is_tried_again_does_nothing_twice(
    worlds: Callable[[], World], graph: Graph
) -> None:
    plain, disturbed = worlds(), worlds()
    scenario(plain)
    deadlocked = DeadlockedStore(disturbed.store)
    scenario(disturbed.on(deadlocked))
    assert deadlocked.undone > 40
    assert graph.dump(disturbed.tenant) == graph.dump(plain.tenant)
