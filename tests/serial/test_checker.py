"""The checker itself, on a list that grows: what it explains, and what it must not."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.serial.checker import UNKNOWN, Event, explained


@dataclass
class Grown:
    """An append-only list."""

    items: tuple[str, ...] = ()

    def copy(self) -> "Grown":
        return Grown(self.items)

    def key(self) -> Hashable:
        return self.items


@dataclass(frozen=True)
class Append:
    item: str

    def explains(self, state: Grown, told: object) -> bool:
        state.items += (self.item,)
        return told in (UNKNOWN, len(state.items))


@dataclass(frozen=True)
class Read:
    def explains(self, state: Grown, told: object) -> bool:
        return told in (UNKNOWN, state.items)


History = list[Event[Grown]]


def history(*rows: tuple[Append | Read, int, int, object]) -> History:
    return [Event(*row) for row in rows]


def serial(*rows: tuple[Append | Read, int, int, object]) -> bool:
    return explained(history(*rows), Grown()) is not None


def test_one_after_the_other_is_serial() -> None:
    assert serial((Append("a"), 0, 1, 1), (Append("b"), 2, 3, 2), (Read(), 4, 5, ("a", "b")))


def test_what_overlaps_may_happen_in_either_order() -> None:
    overlapping = (Append("a"), 0, 9, 2), (Append("b"), 1, 8, 1)
    assert serial(*overlapping, (Read(), 10, 11, ("b", "a")))
    assert not serial(*overlapping, (Read(), 10, 11, ("a", "b")))


def test_what_ended_before_another_began_comes_before_it() -> None:
    assert not serial((Append("a"), 0, 1, 2), (Append("b"), 2, 3, 1))
    assert not serial((Append("a"), 0, 1, 1), (Read(), 2, 3, ()))


@pytest.mark.parametrize("read", [("a",), ("a", "b", "b"), ("b", "a"), ()])
def test_a_lost_doubled_or_swapped_append_shows(read: tuple[str, ...]) -> None:
    assert not serial((Append("a"), 0, 1, 1), (Append("b"), 2, 3, 2), (Read(), 4, 5, read))


@pytest.mark.parametrize("read", [(), ("a",)])
def test_an_unknown_outcome_may_have_happened_or_not(read: tuple[str, ...]) -> None:
    assert serial((Append("a"), 0, 1, UNKNOWN), (Read(), 2, 3, read))


def test_an_unknown_outcome_may_happen_late_but_not_before_it_began_nor_twice() -> None:
    lost = (Append("a"), 5, 6, UNKNOWN)
    assert serial(lost, (Read(), 7, 8, ()), (Read(), 9, 10, ("a",)))
    assert not serial(lost, (Read(), 0, 1, ("a",)))
    assert not serial(lost, (Read(), 7, 8, ("a", "a")))
    assert not serial(lost, (Read(), 7, 8, ("a",)), (Read(), 9, 10, ()))


spans = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 5), st.integers(1, 4)), min_size=1, max_size=4
)


@given(spans)
def test_the_search_finds_what_trying_every_order_finds(drawn: list[tuple[int, int, int]]) -> None:
    events: History = [
        Event(Append("a"), called, called + lasts, told) for called, lasts, told in drawn
    ]
    assert (explained(events, Grown()) is not None) == any(map(_fits, permutations(events)))


def _fits(order: tuple[Event[Grown], ...]) -> bool:
    state = Grown()
    in_time = all(
        later.answered >= earlier.called
        for nth, earlier in enumerate(order)
        for later in order[nth + 1 :]
    )
    return in_time and all(each.operation.explains(state, each.told) for each in order)
