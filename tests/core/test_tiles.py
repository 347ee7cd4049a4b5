"""The tile cut against a brute force over small time lines."""

import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.instants import FOREVER
from app.core.tiles import Recut, Tile, Trim, Won, recut
from app.core.winner import (
    Binding,
    Candidate,
    Run,
    Span,
    affected_span,
    bounded,
    covered,
    hull,
    latest_start,
    tile,
)
from tests.core.timeline import (
    LINE,
    POINTS,
    Expired,
    Fact,
    Override,
    Picture,
    Released,
    Store,
    Version,
    Withdrawn,
    bindings_of,
    candidates_of,
    instants,
    lines,
    move,
    pages,
    picture,
    read,
    record,
    recorded,
    rivals,
    single,
    spans,
    statements,
    transactions,
    winner_at,
)

thorough = settings(deadline=None)

# ------------------------------------------------------------------------------- who wins where


@thorough
@given(rivals(), spans())
def test_runs_say_who_wins_at_every_point_of_the_span(
    rivals: tuple[list[Candidate], list[Binding]], span: Span
) -> None:
    runs = tile(span, *rivals)

    for at in POINTS:
        inside = span.lo <= at < span.hi
        expected = winner_at(at, *rivals) if inside else None
        assert single([r.winner for r in runs if r.valid_from <= at < r.valid_to]) == expected


@thorough
@given(rivals(), spans())
def test_runs_are_sorted_maximal_and_inside_the_span(
    rivals: tuple[list[Candidate], list[Binding]], span: Span
) -> None:
    runs = tile(span, *rivals)

    assert all(span.lo <= r.valid_from < r.valid_to <= span.hi for r in runs)
    for one, other in pairwise(runs):
        assert one.valid_to <= other.valid_from
        assert one.valid_to < other.valid_from or one.winner != other.winner


def test_nobody_wins_without_candidates() -> None:
    assert tile(LINE, [], []) == []


def test_a_later_start_wins_and_the_greater_tx_where_starts_are_equal() -> None:
    candidates = [Candidate(9, 0, FOREVER), Candidate(1, 5, FOREVER), Candidate(2, 5, 7)]

    assert tile(LINE, candidates, []) == [(0, 5, 9), (5, 7, 2), (7, FOREVER, 1)]


def test_a_blank_where_greatest_means_nobody() -> None:
    candidates = [Candidate(1, 0, FOREVER), Candidate(2, 5, 8, blank=True)]

    assert tile(LINE, candidates, []) == [(0, 5, 1), (8, FOREVER, 1)]


def test_the_greatest_binding_beats_every_candidate_and_every_blank() -> None:
    candidates = [Candidate(1, 0, FOREVER), Candidate(8, 4, FOREVER, blank=True)]
    bindings = [Binding(6, 1, 2, 9), Binding(7, 3, 5, 6)]

    assert tile(LINE, candidates, bindings) == [(0, 5, 1), (5, 6, 3), (6, 9, 1)]


# ------------------------------------------------------------------------------- reading in pages


@thorough
@given(rivals(), spans(), st.integers(1, 3))
def test_pages_up_to_the_first_that_covers_the_span_give_the_same_runs(
    rivals: tuple[list[Candidate], list[Binding]], span: Span, size: int
) -> None:
    candidates, bindings = rivals

    seen = read(span, candidates, bindings, size=size)

    assert tile(span, seen, bindings) == tile(span, candidates, bindings)


@thorough
@given(rivals(), spans())
def test_a_span_is_covered_when_no_point_of_it_is_bare(
    rivals: tuple[list[Candidate], list[Binding]], span: Span
) -> None:
    windows: list[Candidate | Binding] = [*rivals[0], *rivals[1]]
    inside = [at for at in POINTS if span.lo <= at < span.hi]

    bare = [at for at in inside if not any(w.valid_from <= at < w.valid_to for w in windows)]

    assert covered(span, windows) == (not bare)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_stopping_a_page_early_loses_winners(size: int) -> None:
    span = Span(0, 10)
    candidates = [Candidate(tx, tx, FOREVER if tx == 9 else tx + 1) for tx in range(10)]
    whole = read(span, candidates, [], size=size)

    early = whole[: (len(whole) - 1) // size * size]

    assert whole == [c for page in pages(span, candidates, size) for c in page]
    assert not covered(span, early)
    assert tile(span, early, []) != tile(span, whole, [])


def test_a_hole_between_what_was_read_keeps_the_pages_coming() -> None:
    """Lowest start and highest end reach over the span, and yet a lower one wins in between."""
    span = Span(1, 10)
    candidates = [Candidate(3, 6, FOREVER), Candidate(2, 1, 4), Candidate(1, 0, FOREVER)]

    def reaches_over(span: Span, seen: Sequence[Candidate | Binding]) -> bool:
        return (
            min(w.valid_from for w in seen) <= span.lo and max(w.valid_to for w in seen) >= span.hi
        )

    fooled = read(span, candidates, [], size=2, enough=reaches_over)

    assert tile(span, fooled, []) != tile(span, candidates, [])
    assert read(span, candidates, [], size=2) == candidates


def test_reading_stops_at_the_page_that_covers() -> None:
    candidates = [Candidate(tx, tx, FOREVER) for tx in range(10)]

    assert [c.tx for c in read(Span(8, FOREVER), candidates, [], size=1)] == [9, 8]


def test_a_binding_over_the_span_makes_one_page_enough() -> None:
    candidates = [Candidate(tx, tx, tx + 1) for tx in range(10)]

    seen = read(Span(0, 9), candidates, [Binding(20, 3, 0, 9)], size=1)

    assert len(seen) == 1


# ------------------------------------------------------------------------------- what can change


@thorough
@given(transactions())
def test_outside_the_affected_span_nobody_changes(history: list[list[Fact]]) -> None:
    facts: list[Fact] = []
    for statement in history:
        after = [*facts, *statement]
        span = move(facts, after).span
        for at, was, now in zip(POINTS, picture(facts), picture(after), strict=True):
            assert was == now or (span is not None and span.lo <= at < span.hi)
        facts = after


def test_the_hull_holds_the_windows_before_and_after() -> None:
    changes = [(Candidate(1, 4, 9), Candidate(2, 2, 6)), (None, Candidate(3, 5, 7))]

    assert hull(changes) == Span(2, 9)
    assert latest_start(changes) == 5


def test_a_change_to_the_same_is_none() -> None:
    same = [(Candidate(1, 4, 9), Candidate(1, 4, 9))]

    assert hull(same) is None
    assert latest_start(same) is None
    assert affected_span(same, [], None) is None


def test_a_late_arrival_reaches_to_the_next_open_start_only() -> None:
    arrival = [(None, Candidate(7, 3, FOREVER))]

    assert bounded(Span(3, FOREVER), 5) == Span(3, 5)
    assert affected_span(arrival, [], 5) == Span(3, 5)
    assert affected_span(arrival, [], None) == Span(3, FOREVER)


def test_a_bound_beyond_the_hull_does_not_widen_it() -> None:
    assert bounded(Span(3, 6), 9) == Span(3, 6)


def test_an_override_is_never_bounded_by_a_later_candidate() -> None:
    arrival = [(None, Candidate(7, 3, FOREVER))]

    assert affected_span(arrival, [Binding(8, 1, 1, 9)], 5) == Span(1, 9)
    assert affected_span([], [Binding(8, 1, 1, 9)], 5) == Span(1, 9)


def test_an_equal_start_is_refused_as_a_bound() -> None:
    """Where starts are equal tx decides: here the newcomer displaces the one it would stop at."""
    with pytest.raises(ValueError, match="not later"):
        affected_span([(None, Candidate(7, 3, FOREVER))], [], 3)


def test_one_with_an_end_is_no_bound() -> None:
    """The newcomer wins again where the shorter, later one has ended."""
    facts: list[Fact] = [Version(1, 0, FOREVER), Version(2, 5, 7)]
    newcomer = Version(3, 3, FOREVER)

    assert move(facts, [*facts, newcomer]).span == Span(3, FOREVER)
    assert picture([*facts, newcomer])[8] == 3


# ------------------------------------------------------------------------------- the cut


@thorough
@given(st.data())
def test_a_cut_gives_the_new_winners_inside_and_leaves_the_rest(data: st.DataObject) -> None:
    old = data.draw(lines(st.integers(1, 3)))
    span = data.draw(spans())
    new = tile(span, *data.draw(rivals()))
    store = Store({t.valid_from: t for t in old})
    was, before = store.picture(), {at: store.as_of(at, 4) for at in POINTS}

    store.write(recut(span, store.overlapping(span), new, 5))

    for at, now, then in zip(POINTS, store.picture(), was, strict=True):
        inside = [r.winner for r in new if r.valid_from <= at < r.valid_to]
        assert now == (single(inside) if span.lo <= at < span.hi else then)
        assert store.as_of(at, 4) == before[at]


@thorough
@given(st.data())
def test_cutting_again_changes_nothing(data: st.DataObject) -> None:
    store = Store({t.valid_from: t for t in data.draw(lines(st.integers(1, 3)))})
    span = data.draw(spans())
    new = tile(span, *data.draw(rivals()))
    store.write(recut(span, store.overlapping(span), new, 5))

    assert recut(span, store.overlapping(span), new, 6) == Recut()


@thorough
@given(st.data())
def test_tiles_that_do_not_overlap_the_span_may_be_passed_too(data: st.DataObject) -> None:
    """They stay, or are glued to what they touch; nobody else wins for it."""
    old = data.draw(lines(st.integers(1, 3)))
    span = data.draw(spans())
    new = tile(span, *data.draw(rivals()))
    few, all_ = Store({t.valid_from: t for t in old}), Store({t.valid_from: t for t in old})

    few.write(recut(span, few.overlapping(span), new, 5))
    all_.write(recut(span, old, new, 5))

    assert few.glued() == all_.glued()
    for known in range(1, 6):
        assert few.picture_at(known) == all_.picture_at(known)


def test_the_first_winner_is_created() -> None:
    assert recut(LINE, [], [Run(3, FOREVER, 1)], 10) == Recut(wins=(Tile(3, FOREVER, 1, 10),))


def test_an_append_trims_one_creates_one_and_keeps_what_was() -> None:
    cut = recut(Span(5, FOREVER), [Tile(3, FOREVER, 1, 10)], [Run(5, FOREVER, 2)], 20)

    assert cut == Recut(
        trims=(Trim(3, 5),),
        wins=(Tile(5, FOREVER, 2, 20),),
        won=(Won(5, FOREVER, 1, 10, 20),),
    )


def test_a_cut_into_the_middle_leaves_both_sides_their_since() -> None:
    cut = recut(Span(4, 6), [Tile(0, 9, 1, 10)], [Run(4, 6, 2)], 20)

    assert cut == Recut(
        trims=(Trim(0, 4),),
        wins=(Tile(4, 6, 2, 20), Tile(6, 9, 1, 10)),
        won=(Won(4, 6, 1, 10, 20),),
    )


def test_another_winner_at_the_same_start_is_a_drop_and_a_win() -> None:
    cut = recut(Span(0, 9), [Tile(0, 9, 1, 10)], [Run(0, 9, 2)], 20)

    assert cut == Recut(drops=(0,), wins=(Tile(0, 9, 2, 20),), won=(Won(0, 9, 1, 10, 20),))


def test_the_same_winner_again_is_nothing() -> None:
    old = [Tile(0, 5, 1, 10), Tile(5, 9, 1, 20), Tile(9, FOREVER, 2, 30)]

    assert recut(LINE, old, [Run(0, 9, 1), Run(9, FOREVER, 2)], 40) == Recut()


def test_nobody_any_more_drops_the_tile_and_keeps_what_was() -> None:
    cut = recut(Span(0, 9), [Tile(0, 9, 1, 10)], [], 20)

    assert cut == Recut(drops=(0,), won=(Won(0, 9, 1, 10, 20),))


def test_a_longer_reach_of_the_same_winner_is_a_tile_of_its_own_since() -> None:
    cut = recut(Span(0, 9), [Tile(0, 5, 1, 10)], [Run(0, 9, 1)], 20)

    assert cut == Recut(wins=(Tile(5, 9, 1, 20),))


def test_what_one_winner_loses_to_several_is_kept_in_one_piece() -> None:
    cut = recut(Span(2, 6), [Tile(0, 9, 1, 10)], [Run(2, 4, 2), Run(4, 6, 3)], 20)

    assert cut.won == (Won(2, 6, 1, 10, 20),)


def test_neighbours_with_the_same_winner_and_since_become_one() -> None:
    old = [Tile(0, 4, 1, 10), Tile(4, 6, 1, 10), Tile(6, 9, 1, 10)]

    assert recut(Span(4, 6), old, [Run(4, 6, 1)], 20) == Recut(trims=(Trim(0, 9),), drops=(4, 6))


def test_what_began_at_this_very_moment_leaves_no_trace_of_having_won() -> None:
    cut = recut(LINE, [Tile(0, FOREVER, 1, 20)], [Run(0, FOREVER, 2)], 20)

    assert cut == Recut(drops=(0,), wins=(Tile(0, FOREVER, 2, 20),))


def test_a_cut_older_than_a_tile_is_refused() -> None:
    with pytest.raises(ValueError, match="recorded after"):
        recut(LINE, [Tile(0, FOREVER, 1, 20)], [], 19)


# ------------------------------------------------------------------------------- whole histories


@settings(deadline=None, max_examples=2 * settings().max_examples)
@given(transactions(), st.integers(1, 3))
def test_after_every_statement_the_store_tells_who_wins_and_who_won(
    history: list[list[Fact]], page: int
) -> None:
    store = Store()
    facts: list[Fact] = []
    past: list[Picture] = [picture([])]
    for number, statement in enumerate(history, start=1):
        record(store, facts, [*facts, *statement], number * 10, page=page)
        facts += statement
        past.append(picture(facts))

        assert store.picture() == past[-1]
        for was_number, was in enumerate(past):
            assert store.picture_at(was_number * 10) == was
            assert store.picture_at(was_number * 10 + 9) == was


@thorough
@given(transactions())
def test_tiles_never_overlap_and_no_two_could_be_one(history: list[list[Fact]]) -> None:
    store = recorded(*history)

    assert all(t.valid_from < t.valid_to for t in store.line())
    for one, other in pairwise(store.line()):
        assert one.valid_to <= other.valid_from
        touch = one.valid_to == other.valid_from
        assert not touch or (one.winner, one.since) != (other.winner, other.since)


@thorough
@given(transactions())
def test_only_what_changes_hands_gets_a_new_since(history: list[list[Fact]]) -> None:
    def since(store: Store, at: int) -> int | None:
        return next((t.since for t in store.line() if t.valid_from <= at < t.valid_to), None)

    store = Store()
    facts: list[Fact] = []
    for number, statement in enumerate(history, start=1):
        was = {at: since(store, at) for at in POINTS}
        before, after = picture(facts), picture([*facts, *statement])
        record(store, facts, [*facts, *statement], number * 10)
        for at, old, new in zip(POINTS, before, after, strict=True):
            changed = None if new is None else number * 10
            assert since(store, at) == (was[at] if old == new else changed)
        facts += statement


@thorough
@given(statements(max_size=7), st.data())
def test_any_order_of_arrival_gives_the_same_winners(
    history: list[list[Fact]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(history))

    assert recorded(*history).glued() == recorded(*shuffled).glued()


@thorough
@given(statements(), st.data())
def test_a_statement_that_changes_no_winner_writes_nothing(
    history: list[list[Fact]], data: st.DataObject
) -> None:
    facts = [fact for statement in history for fact in statement]
    loser = Version(0, data.draw(instants), FOREVER)

    cut = record(recorded(*history), facts, [*facts, loser], 1_000)

    assert (cut == Recut()) == (picture(facts) == picture([*facts, loser]))


def test_withdrawing_the_winner_restores_the_next() -> None:
    history: list[list[Fact]] = [
        [Version(1, 0, FOREVER)],
        [Version(2, 5, FOREVER)],
        [Withdrawn(2)],
    ]

    store = recorded(*history)

    assert store.line() == [Tile(0, 5, 1, 10), Tile(5, FOREVER, 1, 30)]
    assert store.glued() == [(0, FOREVER, 1)]
    assert store.as_of(6, 29) == [2]
    assert store.as_of(6, 19) == [1]


def test_retention_leaves_a_blank_where_withdrawal_restores() -> None:
    history: list[list[Fact]] = [[Version(1, 0, FOREVER)], [Version(2, 5, 8)], [Expired(2)]]

    assert recorded(*history).glued() == [(0, 5, 1), (8, FOREVER, 1)]


def test_a_source_that_ended_has_no_winner_until_it_starts_again() -> None:
    history: list[list[Fact]] = [
        [Version(1, 0, FOREVER)],
        [Version(2, 4, FOREVER, ends=True)],
        [Version(3, 7, FOREVER)],
    ]

    assert recorded(*history).glued() == [(0, 4, 1), (7, FOREVER, 3)]


def test_a_correction_of_the_past_does_not_outlive_its_window() -> None:
    history: list[list[Fact]] = [
        [Version(1, 0, FOREVER)],
        [Version(2, 5, FOREVER)],
        [Version(3, 0, FOREVER, corrects=1)],
    ]

    store = recorded(*history)

    assert store.line() == [Tile(0, 5, 3, 30), Tile(5, FOREVER, 2, 20)]


def test_releasing_an_override_gives_the_line_back() -> None:
    history: list[list[Fact]] = [
        [Version(1, 0, FOREVER)],
        [Version(2, 5, FOREVER)],
        [Override(3, 1, 6, 9)],
    ]
    assert recorded(*history).glued() == [(0, 5, 1), (5, 6, 2), (6, 9, 1), (9, FOREVER, 2)]

    assert recorded(*history, [Released(3)]).glued() == [(0, 5, 1), (5, FOREVER, 2)]


def test_an_append_reads_and_writes_as_little_after_many_as_after_few() -> None:
    facts: list[Fact] = [Version(tx, tx, FOREVER) for tx in range(200)]
    store = recorded(facts)
    after = [*facts, Version(200, 200, FOREVER)]
    span = move(facts, after).span
    assert span == Span(200, FOREVER)

    assert len(store.overlapping(span)) == 1
    assert len(read(span, candidates_of(after).values(), bindings_of(after), size=1)) == 1
    cut = record(store, facts, after, 20)
    assert (len(cut.trims), len(cut.drops), len(cut.wins), len(cut.won)) == (1, 0, 1, 1)


# ------------------------------------------------------------------------------- cost

SOURCES = {function.__code__.co_filename for function in (recut, tile)}


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of the cut run: a cost that no busy machine can blur."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if frame.f_code.co_filename not in SOURCES:
            return None
        count += event == "line"
        return trace

    outer = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(outer)
    return count


def chain(size: int) -> list[Tile]:
    return [Tile(at, at + 1, at, 10) for at in range(size)]


def one(size: int) -> list[Tile]:
    return [Tile(0, size, size, 10)]


def every_other(size: int) -> list[Tile]:
    return [t for t in chain(size) if t.valid_from % 2]


def nobody(_: int) -> list[Tile]:
    return []


SHAPES = [
    pytest.param(chain, one, id="a correction swallows all"),
    pytest.param(one, chain, id="its withdrawal brings all back"),
    pytest.param(chain, nobody, id="all are withdrawn"),
    pytest.param(chain, every_other, id="half are withdrawn"),
    pytest.param(nobody, chain, id="all are imported at once"),
]
Shape = Callable[[int], list[Tile]]


def cutting(before: Shape, after: Shape, size: int) -> Callable[[], Recut]:
    old, span = before(size), Span(0, size)
    candidates = [Candidate(t.winner, t.valid_from, t.valid_to) for t in after(size)]

    def work() -> Recut:
        covered(span, candidates)
        return recut(span, old, tile(span, candidates, []), 20)

    return work


@pytest.mark.parametrize(("before", "after"), SHAPES)
def test_the_cost_of_a_cut_grows_with_its_tiles_and_no_faster(before: Shape, after: Shape) -> None:
    costs = [lines_run(cutting(before, after, size)) for size in (200, 400, 800)]

    assert costs[1] - costs[0] > 100
    assert costs[2] - costs[1] <= 2.1 * (costs[1] - costs[0])


@pytest.mark.parametrize(("before", "after"), SHAPES)
def test_fifty_thousand_tiles_are_cut_at_once(before: Shape, after: Shape) -> None:
    work = cutting(before, after, 50_000)

    started = time.process_time()
    cut = work()
    spent = time.process_time() - started

    assert len(cut.drops) + len(cut.wins) >= 25_000
    assert spent < 5, f"{spent:.2f} s of CPU"
