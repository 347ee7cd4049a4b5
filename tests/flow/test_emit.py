"""Emit: one window, at most one net event, numbered without gap (DESIGN §6.3)."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from app.core.rules import Verdict
from app.core.states import Severity, Status
from app.core.transitions import Direction
from app.flow import emit
from tests.builders import CAP, Cite, Said, World
from tests.dumps import Graph
from tests.fakes import FixedVerifier, PausedStore
from tests.flow.conftest import Stores

WINDOWS = """
MATCH (e:Emit {tenant: $tenant})
RETURN e.emit_id AS id, e.state AS state, e.opened_seq AS opened ORDER BY opened
"""


def flap(world: World) -> None:
    """Displace the cited cap and take that back, and let the window close."""
    world.clock.advance(1)
    newer = world.version("cap", "The cap is €5m.")
    world.settle()
    world.withdraw("cap", newer.tx)
    world.settle()
    world.close_windows()


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


def test_events_can_be_asked_for_of_one_answer(world: World) -> None:
    first = world.two_claims().answer_id
    second = world.answer(Said("It is €2m.", [Cite("cap", world.version("cap", CAP).tx, "€2m")]))
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert world.close_windows().emitted == 2
    assert {event.answer_id for event in world.events()} == {first, second}
    assert [event.answer_id for event in world.events(second)] == [second]


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


def test_after_three_suppressed_windows_one_event_says_flapping_and_it_counts_anew(
    world: World,
) -> None:
    world.two_claims()
    for round_ in range(8):
        flap(world)
        assert len(world.events()) == (round_ + 1) // 4
    first, second = world.events()
    for event in (first, second):
        assert event.flapping
        assert (event.from_status, event.to_status) == (Status.CURRENT, Status.CURRENT)
        assert (event.changed_claims, event.direction) == ((), Direction.SAME)
    assert (first.number, second.number) == (1, 2)


def test_an_event_between_ends_the_row_of_suppressed_windows(world: World) -> None:
    saved = world.two_claims()
    for _ in range(3):
        flap(world)
    world.cascade("sky")
    world.settle()
    world.close_windows()
    flap(world)
    assert [event.flapping for event in world.events(saved.answer_id)] == [False]


def test_a_suppressed_window_takes_no_number(world: World) -> None:
    saved = world.two_claims()
    flap(world)
    world.version("cap", "The cap is €6m.")
    world.settle()
    world.close_windows()
    flap(world)
    world.cascade("sky")
    world.settle()
    world.close_windows()
    events = world.events(saved.answer_id)
    assert [event.number for event in events] == [*range(1, len(events) + 1)]
    first = events[0]
    assert (first.from_status, first.to_status) == (Status.CURRENT, Status.PARTIALLY_STALE)


def test_the_event_is_the_net_of_all_that_happened_since_the_last_one(world: World) -> None:
    saved = world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    world.version("sky", "The sky is grey.")
    world.settle()
    world.close_windows()
    [event] = world.events(saved.answer_id)
    assert (event.from_status, event.to_status) == (Status.CURRENT, Status.STALE)
    assert event.changed_claims == (0, 1)


def test_a_way_back_is_an_event_of_improving_direction(world: World) -> None:
    saved = world.two_claims()
    newer = world.version("cap", "The cap is €5m.")
    world.settle()
    world.close_windows()
    world.withdraw("cap", newer.tx)
    world.settle()
    world.close_windows()
    event = world.events(saved.answer_id)[-1]
    assert (event.direction, event.to_status) == (Direction.IMPROVING, Status.CURRENT)
    assert event.changed_claims == (0,)


def test_a_rise_in_severity_alone_is_an_event_at_equal_status(world: World) -> None:
    saved = world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    world.close_windows()
    world.verifier = FixedVerifier(Verdict.UNSUPPORTED, material=True)
    world.check(saved.answer_id)
    world.close_windows()
    event = world.events(saved.answer_id)[-1]
    assert (event.direction, event.severity) == (Direction.SAME, Severity.MATERIAL)


def test_an_improvement_at_equal_status_is_a_version_and_no_event(world: World) -> None:
    saved = world.two_claims()
    cap = world.version("cap", "The cap is €5m.")
    world.cascade("sky")
    world.settle()
    world.close_windows()
    world.withdraw("cap", cap.tx)
    world.settle()
    world.close_windows()
    assert len(world.show(saved.answer_id).history) == 3
    assert len(world.events(saved.answer_id)) == 1


def test_a_window_is_named_by_the_version_that_opened_it_and_closes_once(
    world: World, graph: Graph
) -> None:
    world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    [window] = graph.rows(WINDOWS, world.tenant)
    assert (window["state"], window["opened"]) == ("open", 2)
    assert world.close_windows().emitted == 1
    before = graph.dump(world.tenant)
    assert world.close_windows().emitted == 0
    assert graph.dump(world.tenant) == before
    [event] = world.events()
    assert event.event_id == window["id"]


def test_a_window_that_another_closed_meanwhile_is_left_alone(world: World) -> None:
    world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    world.clock.advance(60)
    rival = PausedStore(world.store, nth=2, others=lambda: world.close_windows(after=0))
    told = emit.close_emit_windows(rival, world.clock, world.tenant)
    assert (told.emitted, told.suppressed) == (0, 0)
    assert rival.calls == 3
    [event] = world.events()
    assert event.number == 1


def test_windows_of_many_answers_close_in_one_transaction_a_page_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emit, "_PAGE", 2)
    tx = world.version("cap", "The cap is €2m.").tx
    answers = [world.answer(Said(f"Cap {n}.", [Cite("cap", tx, "€2m")])) for n in range(5)]
    world.version("cap", "The cap is €5m.")
    world.settle()
    world.clock.advance(60)
    counted = PausedStore(world.store, nth=0, others=list)
    told = emit.close_emit_windows(counted, world.clock, world.tenant, go_on=lambda: False)
    assert (told.emitted, counted.calls) == (2, 2)
    told = emit.close_emit_windows(counted, world.clock, world.tenant)
    assert (told.emitted, counted.calls) == (3, 2 + 5)
    assert sorted(event.answer_id for event in world.events()) == sorted(answers)


def test_eight_that_close_at_once_close_each_window_once(world: World, stores: Stores) -> None:
    world.two_claims()
    for nth in range(5):
        world.clock.advance(1)
        world.version("cap", f"The cap is €{nth}m.")
        world.settle()
        world.clock.advance(60)
        closers = [stores() for _ in range(8)]
        with ThreadPoolExecutor(8) as pool:
            closed = pool.map(
                lambda store: emit.close_emit_windows(store, world.clock, world.tenant), closers
            )
            assert sum(each.emitted + each.suppressed for each in closed) == 1
    numbers = [event.number for event in world.events()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_only_a_tenant_with_an_open_window_that_is_due_is_relayed(world: World) -> None:
    def due() -> bool:
        now = world.clock.now()
        return world.tenant in emit.tenants_with_due_windows(world.store, now=now)

    world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.settle()
    world.clock.advance(59)
    assert not due()
    world.clock.advance(1)
    assert due()
    world.close_windows(after=0)
    assert not due()


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
