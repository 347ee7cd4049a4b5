"""Emit: one window, at most one net event, numbered without gap (DESIGN §6.3)."""

from itertools import pairwise

from app.core.states import Status
from app.core.transitions import Direction
from tests.builders import Cite, Said, World


def test_what_happens_within_a_window_is_one_net_event(world: World) -> None:
    answer = world.two_claims()
    for n in range(4):
        world.clock.advance(1)
        world.version("cap", f"The cap is €{n}m.")
        world.settle()
    assert world.events() == []
    assert world.close_windows().emitted == 1
    [event] = world.events()
    assert (event.answer_id, event.number) == (answer.answer_id, 1)
    assert event.direction is Direction.WORSENING
    assert not event.first_check


def test_a_window_is_not_closed_before_its_time(world: World) -> None:
    world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert world.close_windows(after=59).emitted == 0
    assert world.close_windows(after=1).emitted == 1


def test_a_window_that_ends_where_it_began_is_suppressed(world: World) -> None:
    answer = world.two_claims()
    world.clock.advance(1)
    newer = world.version("cap", "The cap is €5m.")
    world.settle()
    world.withdraw("cap", newer.tx)
    world.settle()
    assert world.status(answer.answer_id) is Status.CURRENT
    assert world.close_windows().suppressed == 1
    assert world.events() == []


def test_after_three_suppressed_windows_one_event_says_flapping(world: World) -> None:
    world.two_claims()
    for _ in range(4):
        world.clock.advance(1)
        newer = world.version("cap", "The cap is €5m.")
        world.settle()
        world.withdraw("cap", newer.tx)
        world.settle()
        world.close_windows()
    [event] = world.events()
    assert event.flapping
    assert (event.from_status, event.to_status) == (Status.CURRENT, Status.CURRENT)


def test_events_are_numbered_without_gap_and_follow_each_other(world: World) -> None:
    answer = world.two_claims()
    for n in range(3):
        world.clock.advance(1)
        world.version("cap", f"The cap is €{n}m.")
        world.settle()
        world.close_windows()
    world.cascade("sky")
    world.settle()
    world.close_windows()
    events = world.events(answer.answer_id)
    assert [event.number for event in events] == [1, 2, 3, 4]
    assert events[0].from_status is Status.CURRENT
    for before, after in pairwise(events):
        assert after.from_status is before.to_status
    assert events[1].direction is Direction.SAME
    assert len({event.event_id for event in events}) == 4


def test_a_first_check_that_finds_something_says_so(world: World) -> None:
    cap = world.version("cap", "The cap is €2m.").tx
    world.clock.advance(1)
    world.version("cap", "The cap is €3m.")
    world.answer(Said("The cap.", [Cite("cap", cap, "€2m")]))
    world.close_windows()
    [event] = world.events()
    assert event.first_check


def test_deleting_an_answer_closes_its_window_silently(world: World) -> None:
    answer = world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    world.delete(answer.answer_id)
    assert world.close_windows().emitted == 0
    assert world.events() == []
