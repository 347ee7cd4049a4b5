"""Every labelled change of the shared corpora moves the answer that rests on it, and no other."""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from app.core.instants import DAY, instant
from app.core.states import Status
from app.flow.sources import read_winner
from app.graph.store import Neo4jStore
from tests.builders import Cite, Said, SetClock, World
from tests.corpora import Row, gold, rows

CORPORA = ("demo-registry", "agrc-status", "site-policy", "endoflife")
PURE_RENAMES = {"eo-14"}
LABELLED = [(corpus, change) for corpus in CORPORA for change in gold(corpus)]
CONTROLS = 2
CONTROL_ROWS = 5


@cache
def histories(corpus: str) -> dict[str, list[Row]]:
    """The documents with labelled changes, each in published order."""
    labelled = {(change["new_commit"], change["source"]) for change in gold(corpus)}
    named = {row["doc"] for row in rows(corpus, lambda r: (r["commit"], r["source"]) in labelled)}
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows(corpus, lambda row: row["doc"] in named):
        found[row["doc"]].append(row)
    return {doc: sorted(held, key=lambda row: row["seq"]) for doc, held in found.items()}


def neighbours(corpus: str, change: Row) -> tuple[list[Row], Row]:
    """The rows of the changed document up to the old version, and the next one, the new version."""
    for held in histories(corpus).values():
        for nth, row in enumerate(held):
            if (row["commit"], row["source"]) == (change["new_commit"], change["source"]):
                assert held[nth - 1]["commit"] == change["old_commit"]
                return held[:nth], row
    raise AssertionError(f"{change['id']} is not among the versions")


def controls(corpus: str, changed: str) -> list[list[Row]]:
    """The beginnings of some other documents."""
    others = [held[:CONTROL_ROWS] for doc, held in histories(corpus).items() if doc != changed]
    return [held for held in others if held[-1]["event"] != "delete"][:CONTROLS]


def newest_stamp(corpus: str) -> int:
    held = [row for rows_ in histories(corpus).values() for row in rows_]
    stamps = [row.get(name) for row in held for name in ("author_ts", "committer_ts")]
    return max(instant(stamp, field="stamp") for stamp in stamps if stamp)


def imported(world: World, path: Path, published: list[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in published), encoding="utf-8")
    world.imported(path)


def resting_on(world: World, doc: str, quote: str | None = None) -> str:
    """Save an answer that quotes the present winner of a document."""
    winner = read_winner(world.store, world.tenant, doc, at=world.clock.now())
    text = winner.text or ""
    world.texts[doc, winner.tx] = text
    return world.saved(Said(f"As {doc} says.", [Cite(doc, winner.tx, quote or text)]))


def test_the_labels_tell_renames_from_changes() -> None:
    for corpus, change in LABELLED:
        old, new = neighbours(corpus, change)
        assert (old[-1]["text"] == new["text"]) == (change["id"] in PURE_RENAMES)


@pytest.mark.proof
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("corpus", "change"), LABELLED, ids=[str(change["id"]) for _, change in LABELLED]
)
def test_a_labelled_change_moves_its_answer_and_no_other(
    store: Neo4jStore, tmp_path: Path, corpus: str, change: Row
) -> None:
    world = World(store, clock=SetClock(newest_stamp(corpus) + DAY))
    path = tmp_path / "versions.jsonl"
    old, new = neighbours(corpus, change)
    beside = controls(corpus, new["doc"])
    imported(world, path, [*old, *(row for held in beside for row in held)])
    answer = resting_on(world, new["doc"], change["old_span"])
    others = [resting_on(world, held[0]["doc"]) for held in beside]
    world.settle()
    assert {world.status(each) for each in [answer, *others]} == {Status.CURRENT}
    assert len(others) == CONTROLS

    imported(world, path, [*old, new])
    checked = world.settle()

    moved = [] if change["id"] in PURE_RENAMES else [answer]
    assert [each.answer_id for each in checked] == moved
    assert world.status(answer) is (Status.STALE if moved else Status.CURRENT)
    assert {world.status(each) for each in others} == {Status.CURRENT}
    world.close_windows()
    assert [event.answer_id for event in world.events()] == moved
