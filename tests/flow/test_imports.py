"""Import: published histories in published order, the same on any day and after any kill."""

import json
import random
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app.core.errors import Conflict, Invalid
from app.core.imports import Coordinates
from app.core.instants import DAY, FOREVER, MINUTE
from app.core.states import Status
from app.core.values import source_key
from app.flow import import_jsonl, imports, survey
from app.flow.imports import Histories
from app.flow.sources import list_versions
from app.graph.catalog import Query
from app.ports import Store, Tx
from tests.builders import NOON, Cite, Said, World, refused, stored_tiles
from tests.dumps import RUN_TIMES, Graph
from tests.fakes import Broken, OneByOne, OvertakenStore
from tests.flow.conftest import Worlds

R = TypeVar("R")
T = TypeVar("T")

SHIPPED = Path(__file__).parents[2] / "app" / "demo" / "corpus" / "versions.jsonl"
CORPORA = Path(__file__).parents[3] / "shared" / "data"


@dataclass
class Killed(OneByOne):
    """A store whose process dies before its nth transaction."""

    store: Store
    nth: int

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        self.nth -= 1
        if self.nth < 0:
            raise Broken
        return self.store.write(work)


def written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as a file, ``seq`` counted per document where it is not given."""
    seqs: dict[str, int] = {}
    lines = []
    for row in rows:
        doc = row.get("doc", "cap")
        seqs[doc] = seqs.get(doc, 0) + 1
        lines.append(json.dumps({"doc": doc, "seq": seqs[doc], "event": "modify"} | row))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def histories(seed: int, documents: int, rows: int) -> list[dict[str, Any]]:
    """Random histories: repeats, reverts, deletions, stamps out of order, stated windows."""
    chance = random.Random(seed)
    made = []
    for nth in range(documents * rows):
        stamp = NOON - chance.randint(0, 40) * MINUTE
        row: dict[str, Any] = {"doc": f"d{nth % documents}", "text": chance.choice("AAB")}
        row |= chance.choice(
            [
                {},
                {"author_ts": stamp},
                {"author_ts": stamp, "committer_ts": NOON - chance.randint(0, 9) * MINUTE},
                {"valid_from": chance.randint(1, 4)},
                {"valid_from": chance.randint(1, 4), "valid_to": 9},
                {"event": "delete", "text": ""},
            ]
        )
        made.append(row)
    return made


def timeline(world: World, doc: str) -> list[tuple[int, int, int]]:
    """Return the tiles of a document, neighbours with one winner glued."""
    glued: list[tuple[int, int, int]] = []
    for tile in stored_tiles(world.store, source_key(world.tenant, doc)):
        if glued and glued[-1][1:] == (tile.valid_from, tile.winner):
            start = glued.pop()[0]
            glued.append((start, tile.valid_to, tile.winner))
        else:
            glued.append((tile.valid_from, tile.valid_to, tile.winner))
    return glued


# Coordinates


def test_published_order_rules_whatever_the_stamps_say(world: World, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"text": "a", "author_ts": 100},
        {"text": "b", "author_ts": 50, "committer_ts": 60},
        {"text": "c"},
        {"text": "d", "author_ts": 90, "committer_ts": 200},
        {"text": "e", "tx": 300, "valid_from": 7},
    ]
    told = world.imported(written(tmp_path / "f", rows))
    assert (told.sources, told.rows, told.stored) == (1, 5, 5)
    stored = list_versions(world.store, world.tenant, "cap")[::-1]
    assert [(v.tx, v.valid_from) for v in stored] == [
        (100, 100),
        (101, 100),
        (102, 100),
        (200, 100),
        (300, 7),
    ]


def test_a_file_without_stamps_counts_from_zero(world: World, tmp_path: Path) -> None:
    world.imported(written(tmp_path / "f", [{"text": "a"}, {"text": "b"}]))
    stored = list_versions(world.store, world.tenant, "cap")
    assert [(v.tx, v.valid_from) for v in stored] == [(1, 0), (0, 0)]


def test_a_delete_ends_the_source_and_a_later_row_starts_it_anew(
    world: World, tmp_path: Path
) -> None:
    rows = [
        {"text": "a", "author_ts": 10},
        {"event": "delete", "author_ts": 20},
        {"text": "a", "author_ts": 30},
    ]
    world.imported(written(tmp_path / "f", rows))
    assert timeline(world, "cap") == [(10, 20, 10), (30, FOREVER, 30)]


def test_seq_and_not_the_line_gives_the_order(world: World, tmp_path: Path) -> None:
    rows = [{"text": "b", "seq": 2}, {"text": "a", "seq": 1}, {"text": "c", "seq": 9}]
    world.imported(written(tmp_path / "f", rows))
    assert timeline(world, "cap") == [(0, FOREVER, 2)]
    assert refused(lambda: world.version("cap", "b", tx=2)).code == "TX_CONFLICT"


def test_texts_are_stored_as_published_and_the_commit_is_kept(world: World, tmp_path: Path) -> None:
    text = "a\r\nb \u202f e\u0301\n"
    world.imported(written(tmp_path / "f", [{"text": text, "commit": "npm:x@1"}]))
    [stored] = list_versions(world.store, world.tenant, "cap")
    assert stored.origin == "npm:x@1"
    answer_id = world.answer(Said("b", [_cite(world, "cap", stored.tx, text, "b \u202f")]))
    assert world.status(answer_id) is Status.CURRENT


def _cite(world: World, source_id: str, tx: int, text: str, quote: str) -> Cite:
    world.texts[source_id, tx] = text
    return Cite(source_id, tx, quote)


# The same on any day, after any kill, in any batch


def test_the_same_file_gives_the_same_graph_on_any_day(
    worlds: Worlds, graph: Graph, tmp_path: Path
) -> None:
    path = written(tmp_path / "f", histories(1, 3, 12))
    first, later = worlds(), worlds()
    later.clock.at += 30 * DAY
    first.imported(path)
    later.imported(path)
    dumps = [graph.dump(world.tenant, without=RUN_TIMES) for world in (first, later)]
    assert dumps[0] == dumps[1]


def test_importing_again_changes_nothing(world: World, graph: Graph, tmp_path: Path) -> None:
    path = written(tmp_path / "f", histories(2, 3, 12))
    first = world.imported(path)
    before = graph.dump(world.tenant)
    again = world.imported(path)
    assert (again.stored, again.rows) == (0, first.rows)
    assert graph.dump(world.tenant) == before


@pytest.mark.parametrize("seed", range(3))
def test_killed_between_any_two_transactions_and_run_again_it_ends_the_same(
    worlds: Worlds, graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(imports, "_ROWS", 4)
    path = written(tmp_path / "f", histories(seed, 2, 11))
    whole = worlds()
    whole.imported(path)
    expected = graph.dump(whole.tenant, without=RUN_TIMES)
    for nth in range(1, 6):
        world = worlds()
        refused(lambda world=world, nth=nth: world.on(Killed(world.store, nth)).imported(path))  # type: ignore[misc]
        world.clock.advance(60)
        world.imported(path)
        assert graph.dump(world.tenant, without=RUN_TIMES) == expected


@pytest.mark.parametrize("seed", range(4))
def test_one_by_one_or_at_once_the_same_versions_win(
    worlds: Worlds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    path = written(tmp_path / "f", histories(seed, 3, 14))
    at_once, one_by_one = worlds(), worlds()
    at_once.imported(path)
    monkeypatch.setattr(imports, "_ROWS", 1)
    one_by_one.imported(path)
    for doc in ("d0", "d1", "d2"):
        assert timeline(at_once, doc) == timeline(one_by_one, doc)
        both = [list_versions(w.store, w.tenant, doc) for w in (at_once, one_by_one)]
        txs = [[(v.tx, v.corrects_tx, v.observed_at) for v in stored] for stored in both]
        assert txs[0] == txs[1]


@pytest.mark.slow
@pytest.mark.parametrize("path", [SHIPPED, CORPORA / "agrc-status" / "versions.jsonl"])
def test_a_real_corpus_is_the_same_on_another_day_and_after_a_kill(
    worlds: Worlds, graph: Graph, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not path.exists():
        pytest.skip(f"{path.parent.name} is not at hand")
    monkeypatch.setattr(imports, "_ROWS", 7)
    whole, killed = worlds(), worlds()
    told = whole.imported(path)
    refused(lambda: killed.on(Killed(killed.store, told.rows // 14)).imported(path))
    killed.clock.at += 30 * DAY
    again = killed.imported(path)
    assert told.stored + told.observed == told.rows
    assert again.stored + again.observed + again.duplicates == told.rows
    dumps = [graph.dump(world.tenant, without=RUN_TIMES) for world in (whole, killed)]
    assert dumps[0] == dumps[1]


# An import is a write like any other


def test_what_an_import_displaces_moves_the_answer_however_old_its_tx(
    world: World, tmp_path: Path
) -> None:
    cited = world.version("cap", "€2m", tx=10, validFrom=5)
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", cited.tx, "€2m")]))
    rows = [{"text": "€1m", "tx": 3, "valid_from": 1}, {"text": "€5m", "tx": 4, "valid_from": 6}]
    world.imported(written(tmp_path / "f", rows))
    world.settle()
    assert world.status(answer_id) is Status.STALE
    world.close_windows()
    assert len(world.events()) == 1


def test_rows_that_win_nowhere_a_claim_looks_raise_no_event(world: World, tmp_path: Path) -> None:
    cited = world.version("cap", "€2m", tx=10)
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", cited.tx, "€2m")]))
    world.imported(written(tmp_path / "f", [{"text": "€1m", "tx": 3}, {"text": "x", "doc": "y"}]))
    world.settle()
    world.close_windows()
    assert world.status(answer_id) is Status.CURRENT
    assert list(world.events()) == []


def test_the_rows_of_a_source_are_one_change(world: World, graph: Graph, tmp_path: Path) -> None:
    world.imported(written(tmp_path / "f", histories(3, 2, 9)))
    assert graph.count(world.tenant, "Change") == 2


def test_progress_tells_rows_done_of_all(world: World, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = written(tmp_path / "f", histories(4, 3, 5))
    world.imported(path, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (15, 15)


# Refusals


@pytest.mark.parametrize(
    ("bad", "code", "line"),
    [
        ({"text": 5}, "ROW_INVALID", "line 3"),
        ({"text": None}, "ROW_INVALID", "line 3"),
        ({"doc": "x" * 5000}, "ROW_INVALID", "line 3"),
        ({"text": "c", "author_ts": "2026-01-01"}, "ROW_INVALID", "line 3"),
        ({"text": "c", "seq": 1}, "ROW_INVALID", "line 3"),
        ({"text": "c", "author_ts": NOON + 5 * MINUTE}, "STAMP_IN_FUTURE", "line 3"),
        ({"text": "c", "valid_from": 9, "valid_to": 9}, "WINDOW_EMPTY", "line 3"),
        ({"text": "c", "author_ts": 9, "valid_to": 5}, "WINDOW_EMPTY", "line 3"),
    ],
)
def test_a_row_that_cannot_be_stored_is_named_and_nothing_is_imported(
    world: World, graph: Graph, tmp_path: Path, bad: dict[str, Any], code: str, line: str
) -> None:
    rows = [{"text": "a", "doc": "aaa"}, {"text": "b"}, bad]
    refusal = refused(lambda: world.imported(written(tmp_path / "f", rows)))
    assert isinstance(refusal, Invalid)
    assert (refusal.code, refusal.field) == (code, line)
    assert graph.dump(world.tenant) == []


@pytest.mark.parametrize("line", ["{", "[]", "5", '{"doc": "a", "seq": 1, "text": "\\ud800"}'])
def test_a_line_that_is_no_row_is_named(world: World, tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "f", [{"text": "a"}])
    path.write_text(path.read_text() + line + "\n", encoding="utf-8")
    refusal = refused(lambda: world.imported(path))
    assert (refusal.code, refusal.field) == ("ROW_INVALID", "line 2")


def test_what_contradicts_the_store_is_a_conflict_naming_the_document(
    world: World, tmp_path: Path
) -> None:
    world.version("cap", "other", tx=1)
    rows = [{"text": "a"}, {"text": "b"}]
    refusal = refused(lambda: world.imported(written(tmp_path / "f", rows)))
    assert isinstance(refusal, Conflict)
    assert (refusal.code, refusal.field) == ("TX_CONFLICT", "doc 'cap'")
    assert len(list_versions(world.store, world.tenant, "cap")) == 1


def surveying(path: Path) -> int:
    """Return the most memory that a survey of a file took, in bytes."""
    tracemalloc.start()
    with survey.surveyed() as places, path.open("rb") as file:
        import_jsonl._survey(file, places)
        for _, placed in import_jsonl._placed(places, NOON):
            import_jsonl._check(placed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_a_survey_takes_as_much_memory_for_ten_times_the_rows(tmp_path: Path) -> None:
    peaks = []
    for rows in (1_000, 10_000):
        made = [{"doc": f"d{n // 10}", "seq": n, "text": "x" * 500} for n in range(rows)]
        peaks.append(surveying(written(tmp_path / str(rows), made)))
    assert peaks[1] < 1.2 * peaks[0]


def test_a_survey_that_finds_no_room_says_so() -> None:
    def crowd() -> None:
        with survey.surveyed() as places:
            places._database.execute("PRAGMA max_page_count = 8")
            for nth in range(10_000):
                places.add(
                    f"d{nth}", survey.Place(1, nth, 0, True, None, None, None, None, None, None)
                )

    assert refused(crowd).code == "SURVEY_NO_ROOM"


def test_a_file_that_changes_while_it_is_imported_is_told_by_its_line(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "_ROWS", 1)
    long = "It holds. " * 2_000
    path = written(tmp_path / "f", [{"doc": doc, "text": long} for doc in "abc"])
    *kept, last = path.read_text(encoding="utf-8").splitlines()

    def spoil(done: int, total: int) -> None:
        path.write_text("\n".join([*kept, "x" * len(last)]) + "\n", encoding="utf-8")

    refusal = refused(lambda: world.imported(path, progress=spoil))
    assert (refusal.code, refusal.field) == ("ROW_INVALID", "line 3")
    assert "when the import began" in refusal.message


def test_the_next_rows_are_read_while_some_are_stored(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "_ROWS", 1)
    read_on, waited = threading.Event(), list[bool]()

    def documents() -> Iterator[tuple[str, list[str]]]:
        yield "a", ["It holds."]
        read_on.set()
        yield "b", ["It does not."]

    held = OvertakenStore(world.store, lambda: waited.append(read_on.wait(10)), times=1)
    at = Coordinates(tx=1, valid_from=1)
    histories = Histories(2, 2, documents(), lambda words: imports.arrival(words, at, None))
    told = imports.import_histories(held, world.clock, world.tenant, histories)
    assert (waited, told.stored) == ([True], 2)
