"""Every labelled change of the shipped registry moves the answer that rests on it, and no other."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.core.instants import DAY, instant
from app.core.states import Status
from app.demo.registry import Row, registry, statements
from app.flow.sources import read_winner
from app.graph.store import Neo4jStore
from tests.builders import Cite, Said, SetClock, World

Change = dict[str, Any]

_LABELLED = Path(__file__).parent / "registry-changes.jsonl"


@cache
def labelled() -> tuple[Change, ...]:
    return tuple(json.loads(line) for line in _LABELLED.read_text().splitlines())


def newest_stamp() -> int:
    return max(instant(r["author_ts"], field="author_ts") for r in registry() if r["author_ts"])


def rows_until(change: Change, commit: str) -> list[Row]:
    """The labelled documents whole, but the changed one only up to the row of ``commit``."""
    documents = {each["source"] for each in labelled()}
    last = next(
        row["seq"]
        for row in registry()
        if row["doc"] == change["source"] and row["commit"] == commit
    )
    return [
        row
        for row in registry()
        if row["doc"] in documents and (row["doc"] != change["source"] or row["seq"] <= last)
    ]


def imported(world: World, path: Path, rows: Iterable[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in statements(rows)))
    world.imported(path)


def resting_on(world: World, source: str, quote: str | None = None) -> str:
    """Save and check an answer that quotes the present winner of a source."""
    winner = read_winner(world.store, world.tenant, source, at=world.clock.now())
    text = winner.text or ""
    world.texts[source, winner.tx] = text
    return world.saved(Said("It is so.", [Cite(source, winner.tx, quote or text)]))


@pytest.mark.parametrize("change", labelled(), ids=lambda change: str(change["id"]))
def test_a_labelled_change_moves_its_answer_and_no_other(
    store: Neo4jStore, tmp_path: Path, change: Change
) -> None:
    world = World(store, clock=SetClock(newest_stamp() + DAY))
    path = tmp_path / "versions.jsonl"
    imported(world, path, rows_until(change, change["old_commit"]))
    answer = resting_on(world, change["source"], change["old_span"])
    others = sorted({each["source"] for each in labelled()} - {change["source"]})
    controls = [resting_on(world, source) for source in others]
    world.settle()
    assert {world.status(each) for each in [answer, *controls]} == {Status.CURRENT}

    imported(world, path, rows_until(change, change["new_commit"]))
    checked = world.settle()

    assert world.status(answer) is Status.STALE
    assert [each.answer_id for each in checked] == [answer]
    assert {world.status(each) for each in controls} == {Status.CURRENT}
    world.close_windows()
    assert [event.answer_id for event in world.events()] == [answer]


def test_an_answer_expires_by_the_clock_alone(store: Neo4jStore, tmp_path: Path) -> None:
    source = "sales-tax/rates/LU.json"
    world = World(store, clock=SetClock(instant("2023-09-01T00:00:00Z", field="now")))
    known = [
        row
        for row in registry()
        if row["doc"] == source and (not row["author_ts"] or row["author_ts"] < "2023-09")
    ]
    imported(world, tmp_path / "versions.jsonl", known)
    answer = resting_on(world, source, '"rate": 0.16')
    world.settle()
    expires_at = instant("2023-12-31T22:00:00Z", field="expires")
    assert world.show(answer).expires_at == expires_at

    world.clock.at = expires_at - 1
    world.due()
    world.settle()
    assert world.status(answer) is Status.CURRENT

    world.clock.at = expires_at
    world.due()
    world.settle()
    assert world.status(answer) is Status.STALE
    [claim] = world.show(answer).claims
    assert claim.fire_id is None
    assert [cause.kind for cause in claim.causes] == ["expired"]
