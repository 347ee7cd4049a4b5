"""Coordinates of a statement: its tx, its window and where that came from (DESIGN §4)."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.core.errors import Invalid
from app.core.instants import FOREVER, MINUTE
from app.core.statements import (
    LEAVES_BLANK,
    SKEW,
    FromRule,
    Removal,
    Statement,
    Stored,
    checked_window,
    given_tx,
    window,
)
from app.core.winner import Candidate

CLOCK = 1_772_366_400_000_000
TIMES = st.integers(0, 100)
MAYBE = st.none() | TIMES

BELOW = Stored(
    tx=50,
    valid_from=50,
    valid_to=FOREVER,
    valid_from_rule=FromRule.TX,
    text_sha256="a",
    corrects_tx=None,
    override_only=False,
    competes=True,
    observed_at=50,
    observed_from=50,
)
TARGET = replace(BELOW, tx=40, valid_from=3, valid_to=90, valid_from_rule=FromRule.STATED)


# tx


@pytest.mark.parametrize(
    ("stated", "last", "tx"),
    [
        (None, 0, CLOCK),
        (None, CLOCK - 1, CLOCK),
        (None, CLOCK, CLOCK + 1),
        (None, CLOCK + 7, CLOCK + 8),
        (5, CLOCK, 5),
        (0, CLOCK, 0),
        (CLOCK, CLOCK + 7, CLOCK),
        (CLOCK + 1, 0, CLOCK),
        (CLOCK + 1, CLOCK + 7, CLOCK + 8),
        (CLOCK + 5 * MINUTE - 1, 0, CLOCK),
    ],
)
def test_tx_is_stated_or_the_clock_or_one_more_than_the_newest(
    stated: int | None, last: int, tx: int
) -> None:
    assert given_tx(stated, clock=CLOCK, last=last) == tx


@pytest.mark.parametrize("ahead", [5 * MINUTE, 5 * MINUTE + 1, 10 * MINUTE])
def test_a_tx_five_minutes_ahead_or_more_is_refused(ahead: int) -> None:
    with pytest.raises(Invalid) as refused:
        given_tx(CLOCK + ahead, clock=CLOCK, last=0)
    assert (refused.value.code, refused.value.field) == ("TX_IN_FUTURE", "tx")
    assert refused.value.hint is not None
    assert SKEW == 5 * MINUTE


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_tx_that_was_not_stated_is_new_and_not_before_the_clock(clock: int, last: int) -> None:
    tx = given_tx(None, clock=clock, last=last)
    assert tx > last
    assert tx >= clock


# valid_from


@dataclass(frozen=True)
class Default:
    id: str
    statement: Statement
    below: Stored | None
    start: int
    rule: FromRule


DATED = replace(BELOW, valid_from=30, valid_from_rule=FromRule.SOURCE_TS)
ENDED = replace(BELOW, text_sha256=None)


def stamped(source_ts: int) -> Statement:
    return Statement(60, "a", source_ts=source_ts)


def imported(start: int, stated: int | None = None) -> Statement:
    return Statement(60, "a", stated, imported_from=start)


DEFAULTS = [
    Default("stated", Statement(60, "a", 7), BELOW, 7, FromRule.STATED),
    Default("stated as zero", Statement(60, "a", 0), BELOW, 0, FromRule.STATED),
    Default("stated in the future", Statement(60, "a", 900), BELOW, 900, FromRule.STATED),
    Default("stated before a stamp", Statement(60, "a", 7, None, 8), None, 7, FromRule.STATED),
    Default("nothing at all", Statement(60, "a"), None, 60, FromRule.TX),
    Default("nothing, over one like it", Statement(60, "a"), BELOW, 60, FromRule.TX),
    Default("a stamp", stamped(55), None, 55, FromRule.SOURCE_TS),
    Default("a stamp of zero", stamped(0), None, 0, FromRule.SOURCE_TS),
    Default("a stamp after tx", stamped(61), None, 60, FromRule.TX),
    Default("a stamp at tx", stamped(60), None, 60, FromRule.TX),
    Default("a stamp above the floor", stamped(51), BELOW, 51, FromRule.SOURCE_TS),
    Default("a stamp at the floor", stamped(50), BELOW, 50, FromRule.SOURCE_TS),
    Default("a date-only stamp", stamped(49), BELOW, 50, FromRule.TX),
    Default("over a dated one", stamped(20), DATED, 20, FromRule.SOURCE_TS),
    Default("over an end", stamped(20), ENDED, 50, FromRule.TX),
    Default("an end too", Statement(60, None, source_ts=20), BELOW, 50, FromRule.TX),
    Default("imported", imported(20), BELOW, 20, FromRule.IMPORTED),
    Default("imported from zero", imported(0), BELOW, 0, FromRule.IMPORTED),
    Default("stated in an import", imported(20, 7), BELOW, 7, FromRule.STATED),
    Default("only an end stated", Statement(60, "a", None, 90), BELOW, 60, FromRule.TX),
]  # fmt: skip


@pytest.mark.parametrize("case", DEFAULTS, ids=lambda case: case.id)
def test_where_a_statement_starts(case: Default) -> None:
    made = window(case.statement, case.below, None)
    assert (made.valid_from, made.valid_from_rule) == (case.start, case.rule)


@given(st.integers(1, 100), MAYBE, st.integers(0, 99), TIMES, st.sampled_from(FromRule))
def test_a_default_is_never_above_its_own_tx_and_loses_to_no_default_below(
    tx: int, source_ts: int | None, below_tx: int, below_from: int, rule: FromRule
) -> None:
    assume(below_tx < tx)
    below_from = min(below_from, below_tx)
    below = replace(BELOW, tx=below_tx, valid_from=below_from, valid_from_rule=rule)
    made = window(Statement(tx, "a", source_ts=source_ts), below, None)
    floor = below_from if rule is FromRule.TX else 0
    assert made.valid_from == min(max(tx if source_ts is None else source_ts, floor), tx)
    if rule is FromRule.TX:
        assert (made.valid_from, made.tx) > (below.valid_from, below.tx)


def test_a_raised_stamp_is_a_floor_for_the_next_one() -> None:
    raised = window(stamped(20), BELOW, None)
    assert window(Statement(70, "b", source_ts=30), raised, None).valid_from == 50


# valid_to


@pytest.mark.parametrize(
    ("start", "end", "window_"),
    [
        (None, None, (60, FOREVER)),
        (5, None, (5, FOREVER)),
        (5, 9, (5, 9)),
        (None, 70, (60, 70)),
        (5, FOREVER, (5, FOREVER)),
    ],
)
def test_an_end_is_stated_or_open(
    start: int | None, end: int | None, window_: tuple[int, int]
) -> None:
    made = window(Statement(60, "a", start, end), None, None)
    assert (made.valid_from, made.valid_to) == window_


@pytest.mark.parametrize(
    ("start", "end", "window_", "rule"),
    [
        (None, None, (3, 90), FromRule.CORRECTED),
        (5, None, (5, FOREVER), FromRule.STATED),
        (None, 9, (3, 9), FromRule.CORRECTED),
        (5, 9, (5, 9), FromRule.STATED),
    ],
)
def test_the_window_of_a_correction(
    start: int | None, end: int | None, window_: tuple[int, int], rule: FromRule
) -> None:
    made = window(Statement(60, "b", start, end, 1, corrects=40), BELOW, TARGET)
    assert (made.valid_from, made.valid_to, made.valid_from_rule) == (*window_, rule)
    assert made.corrects_tx == 40


def test_what_a_statement_says_of_its_end() -> None:
    assert Statement(60, "a").stated_to is None
    assert Statement(60, "a", 5).stated_to == FOREVER
    assert Statement(60, "a", None, 9).stated_to == 9
    assert Statement(60, "a", 5, 9).stated_to == 9
    assert Statement(60, "a", 0).stated_to == FOREVER


@given(TIMES, TIMES)
def test_a_window_is_half_open_and_never_empty(start: int, end: int) -> None:
    if start < end:
        assert checked_window(start, end) == (start, end)
        return
    with pytest.raises(Invalid) as refused:
        checked_window(start, end)
    assert (refused.value.code, refused.value.field) == ("WINDOW_EMPTY", "valid_to")
    assert refused.value.hint is not None


def test_an_end_before_the_default_start_is_refused() -> None:
    with pytest.raises(Invalid):
        window(Statement(60, "a", None, 60), None, None)


# As stored


def test_a_new_statement_competes_and_was_seen_at_its_own_tx() -> None:
    assert window(stamped(55), BELOW, None) == Stored(
        tx=60,
        valid_from=55,
        valid_to=FOREVER,
        valid_from_rule=FromRule.SOURCE_TS,
        text_sha256="a",
        corrects_tx=None,
        override_only=False,
        competes=True,
        observed_at=60,
        observed_from=55,
        removal=None,
        copy_of=None,
    )


@pytest.mark.parametrize("removal", [None, *Removal])
def test_only_retention_and_erasure_leave_a_blank_that_stands(removal: Removal | None) -> None:
    stored = replace(BELOW, removal=removal)
    blank = removal in (Removal.RETENTION, Removal.ERASURE)
    assert (removal in LEAVES_BLANK) is blank
    assert stored.stands is (removal is None or blank)
    if stored.stands:
        assert stored.candidate == Candidate(50, 50, FOREVER, blank=blank)


def test_an_end_is_a_blank_candidate_and_who_does_not_compete_is_none() -> None:
    end = replace(BELOW, text_sha256=None)
    assert (end.ends, BELOW.ends) == (True, False)
    assert end.candidate == Candidate(50, 50, FOREVER, blank=True)
    assert replace(BELOW, competes=False).candidate is None
