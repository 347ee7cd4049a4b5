"""When an answer is checked again, and when it may change by itself (DESIGN §5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.due import Due, due
from app.core.instants import DAY, LATEST, MINUTE

NOW = 1_772_366_400_000_000
WEEK = 7 * DAY
NEAR = st.integers(0, 10**15)


def test_age_alone_where_no_boundary_is_known() -> None:
    assert due(NOW, max_age=WEEK, boundary=None) == Due(NOW + WEEK, None)


@pytest.mark.parametrize("after", [1, DAY, WEEK - 1])
def test_a_boundary_before_that_comes_first(after: int) -> None:
    assert due(NOW, max_age=WEEK, boundary=NOW + after) == Due(NOW + after, NOW + after)


def test_a_later_boundary_is_told_and_waits_for_its_turn() -> None:
    assert due(NOW, max_age=WEEK, boundary=NOW + 99 * DAY) == Due(NOW + WEEK, NOW + 99 * DAY)


@pytest.mark.parametrize(
    ("failures", "minutes"),
    [
        (1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (6, 320), (7, 640), (8, 1280),
        (9, 1440), (10, 1440), (10_000, 1440),
    ],
)  # fmt: skip
def test_a_model_that_failed_is_asked_after_ten_minutes_doubling_to_a_day(
    failures: int, minutes: int
) -> None:
    assert due(NOW, max_age=WEEK, boundary=None, failures=failures) == Due(
        NOW + minutes * MINUTE, None
    )


def test_what_comes_first_of_all_three_counts() -> None:
    assert due(NOW, max_age=MINUTE, boundary=NOW + DAY, failures=1).recheck_due_at == NOW + MINUTE
    assert due(NOW, max_age=WEEK, boundary=NOW + 5, failures=3).recheck_due_at == NOW + 5


def test_no_due_time_lies_outside_the_range_of_instants() -> None:
    assert due(LATEST, max_age=WEEK, boundary=None).recheck_due_at == LATEST


@given(NEAR, st.integers(1, 10**12), st.none() | NEAR, st.integers(0, 99))
def test_it_is_the_least_of_what_applies(
    checked_at: int, max_age: int, boundary: int | None, failures: int
) -> None:
    found = due(checked_at, max_age=max_age, boundary=boundary, failures=failures)
    assert found.expires_at == boundary
    assert found.recheck_due_at <= checked_at + max_age
    assert boundary is None or found.recheck_due_at <= boundary
    assert not failures or found.recheck_due_at <= checked_at + DAY
