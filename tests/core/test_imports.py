"""Coordinates of an ordered import: the same file gives the same ones on any day (DESIGN §4)."""

import json
import lzma
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import Invalid
from app.core.imports import Coordinates, Row, coordinates
from app.core.instants import DAY, LATEST, MINUTE, instant

CLOCK = 1_772_366_400_000_000
CORPORA = Path(__file__).parents[3] / "shared" / "data"
FILES = sorted(CORPORA.glob("*/versions.jsonl*"))
STAMPS = st.none() | st.integers(0, 40)
ROWS = st.lists(
    st.builds(
        Row,
        row=st.just("line 1"),
        author_ts=STAMPS,
        committer_ts=STAMPS,
        tx=STAMPS,
        valid_from=STAMPS,
    ),
    max_size=8,
)


def author(*stamps: int | None) -> list[Row]:
    return [Row(f"line {n}", author_ts=stamp) for n, stamp in enumerate(stamps, start=1)]


def pairs(rows: list[Row]) -> list[tuple[int, int]]:
    return [(c.tx, c.valid_from) for c in coordinates(rows, clock=CLOCK)]


@dataclass(frozen=True)
class Case:
    id: str
    rows: list[Row]
    given: list[tuple[int, int]]


CASES = [
    Case("nothing", [], []),
    Case("no stamps at all", author(None, None, None), [(0, 0), (1, 0), (2, 0)]),
    Case("authors in order", author(10, 20), [(10, 10), (20, 20)]),
    Case("an author's clock went back", author(20, 10, 30), [(20, 20), (21, 20), (30, 30)]),
    Case("two at one instant", author(10, 10, 10), [(10, 10), (11, 10), (12, 10)]),
    Case("a stamp is missing", author(10, None, 30), [(10, 10), (11, 10), (30, 30)]),
    Case("the first has none", author(None, 10), [(0, 0), (10, 10)]),
    Case(
        "the committer's stamp names the version, the author's when it holds",
        [Row("line 1", author_ts=10, committer_ts=15)],
        [(15, 10)],
    ),
    Case(
        "an author ahead of the committer is capped",
        [Row("line 1", author_ts=15, committer_ts=10)],
        [(10, 10)],
    ),
    Case("a committer alone says not since when", [Row("line 1", committer_ts=10)], [(10, 0)]),
    Case(
        "a stated tx comes before all stamps",
        [Row("line 1", author_ts=10, committer_ts=15, tx=7)],
        [(7, 7)],
    ),
    Case("a stated tx of zero", [Row("line 1", author_ts=10, tx=0)], [(0, 0)]),
    Case(
        "a stated tx is raised too",
        [Row("line 1", tx=7), Row("line 2", tx=7), Row("line 3", tx=3)],
        [(7, 0), (8, 0), (9, 0)],
    ),
    Case(
        "a stated start may lie after its tx",
        [Row("line 1", author_ts=10, valid_from=99), Row("line 2", author_ts=20)],
        [(10, 99), (20, 20)],
    ),
    Case(
        "a stated start may go back",
        [Row("line 1", author_ts=10), Row("line 2", author_ts=20, valid_from=0)],
        [(10, 10), (20, 0)],
    ),
    Case(
        "a stated start is the floor of the next",
        [Row("line 1", author_ts=10, valid_from=15), Row("line 2", author_ts=12, committer_ts=20)],
        [(10, 15), (20, 15)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_coordinates(case: Case) -> None:
    assert pairs(case.rows) == case.given


def test_zones_are_compared_as_instants() -> None:
    texts = ["2026-02-01T09:00:00+09:00", "2026-01-31T20:00:00-05:00", "2026-02-01T00:30:00Z"]
    rows = author(*(instant(text, field="author_ts") for text in texts))
    found = list(coordinates(rows, clock=CLOCK))
    midnight = instant("2026-02-01T00:00:00Z", field="at")
    assert [c.tx - midnight for c in found] == [0, 60 * MINUTE, 60 * MINUTE + 1]
    assert [c.valid_from - midnight for c in found] == [0, 60 * MINUTE, 60 * MINUTE]


@given(ROWS)
def test_tx_rises_strictly_and_no_start_lies_after_it_unless_stated(rows: list[Row]) -> None:
    found = list(coordinates(rows, clock=CLOCK))
    assert len(found) == len(rows)
    for one, other in pairwise(found):
        assert one.tx < other.tx
    for row, at in zip(rows, found, strict=True):
        assert at.valid_from <= at.tx or at.valid_from == row.valid_from


@given(ROWS)
def test_starts_never_go_back_unless_stated(rows: list[Row]) -> None:
    rows = [replace(row, valid_from=None) for row in rows]
    found = list(coordinates(rows, clock=CLOCK))
    for one, other in pairwise(found):
        assert one.valid_from <= other.valid_from


@given(ROWS, st.integers(0, 99) | st.just(LATEST))
def test_the_same_rows_give_the_same_on_any_day(rows: list[Row], later: int) -> None:
    there = coordinates(rows, clock=CLOCK + later)
    assert list(there) == list(coordinates(rows, clock=CLOCK))


@given(ROWS, st.integers(0, 8))
def test_a_part_has_the_coordinates_that_it_has_in_the_whole(rows: list[Row], size: int) -> None:
    part = list(coordinates(rows[:size], clock=CLOCK))
    assert part == list(islice(coordinates(rows, clock=CLOCK), size))


@given(ROWS)
def test_stored_coordinates_stated_again_stay(rows: list[Row]) -> None:
    found = list(coordinates(rows, clock=CLOCK))
    stated = [Row("line 1", tx=at.tx, valid_from=at.valid_from) for at in found]
    assert list(coordinates(stated, clock=CLOCK)) == found


@pytest.mark.parametrize("column", ["author_ts", "committer_ts", "tx"])
@pytest.mark.parametrize("ahead", [5 * MINUTE, DAY])
def test_a_stamp_ahead_of_the_clock_is_refused_naming_the_row(column: str, ahead: int) -> None:
    rows = [*author(10), Row("line 2", **{column: CLOCK + ahead})]
    found = coordinates(rows, clock=CLOCK)
    assert next(found) == Coordinates(10, 10)
    with pytest.raises(Invalid) as refused:
        next(found)
    assert (refused.value.code, refused.value.field) == ("STAMP_IN_FUTURE", "line 2")
    assert refused.value.hint is not None


@pytest.mark.parametrize("column", ["author_ts", "committer_ts", "tx"])
def test_a_clock_a_little_behind_is_none(column: str) -> None:
    assert len(pairs([Row("line 1", **{column: CLOCK + 5 * MINUTE - 1})])) == 1


def test_a_validity_in_the_future_is_normal() -> None:
    assert pairs([Row("line 1", tx=10, valid_from=CLOCK + 99 * DAY)]) == [(10, CLOCK + 99 * DAY)]


def histories(file: Path) -> Iterator[list[Row]]:
    documents: dict[str, list[tuple[int, Row]]] = defaultdict(list)
    with lzma.open(file, "rt") if file.suffix == ".xz" else file.open() as lines:
        for n, line in enumerate(lines, start=1):
            entry = json.loads(line)
            stamps = {
                column: instant(entry[column], field=column)
                for column in ("author_ts", "committer_ts")
                if entry.get(column) is not None
            }
            documents[entry["doc"]].append((entry["seq"], Row(f"line {n}", **stamps)))
    for rows in documents.values():
        yield [row for _, row in sorted(rows, key=lambda pair: pair[0])]


@pytest.mark.slow
@pytest.mark.skipif(not FILES, reason="the corpora are not here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_real_history_is_ordered_by_its_coordinates(file: Path) -> None:
    count = 0
    for rows in histories(file):
        found = list(coordinates(rows, clock=CLOCK * 2))
        count += len(found)
        assert all(one.tx < other.tx for one, other in pairwise(found))
        assert all(one.valid_from <= other.valid_from for one, other in pairwise(found))
        assert all(at.valid_from <= at.tx <= LATEST for at in found)
        assert found[: len(found) // 2] == list(
            coordinates(rows[: len(rows) // 2], clock=CLOCK * 3)
        )
    assert count > 200
