"""Writing: appends to long histories, a correction over many tiles, and the import of a file."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from app.core.instants import FOREVER, HOUR
from app.flow.import_jsonl import import_jsonl
from benchmarks.corpus import START, key
from benchmarks.stage import Stage, require
from benchmarks.timing import Measure, interleaved, median

_BARE_IMPORT = """
UNWIND $rows AS r
MERGE (s:Source {source_key: r.source_key})
  ON CREATE SET s.tenant = $tenant, s.source_id = r.source_id, s.tiles_seq = 1, s.last_tx = r.tx,
                s.last_recorded_at = $now
CREATE (v:SourceVersion {
  tenant: $tenant, source_key: r.source_key, source_id: r.source_id, tx: r.tx, valid_from: r.tx,
  valid_to: $forever, valid_from_rule: 'imported', text: r.text, text_sha256: r.sha256, ends: false,
  override_only: false, competes: true, observed_at: r.tx, observed_from: r.tx, recorded_at: $now,
  origin: r.commit})-[:VERSION_OF]->(s)
CREATE (s)-[:WINS {source_key: r.source_key, valid_from: r.tx, valid_to: r.until,
                   tx_from: $now}]->(v)
WITH s, collect(v) AS versions
CREATE (:Change {tenant: $tenant, change_id: s.source_key, state: 'open', target_key: s.source_key,
                 seq: 1, what: 'versions', tx: s.last_tx, recorded_at: $now})-[:CHANGED]->(s)
WITH versions
UNWIND range(1, size(versions) - 1) AS i
WITH versions[i] AS newer, versions[i - 1] AS older
CREATE (newer)-[:PREVIOUS]->(older)
"""
_WON_BY = """
MATCH (v:SourceVersion {source_key: $key, tx: $tx})
RETURN count { ()-[:WINS]->(v) } AS tiles
"""
_BATCH = 1_000
_EACH = 10


def measured(stage: Stage, *, rounds: int, small: bool) -> Iterator[Measure]:
    """Yield the measures of appending, correcting and importing."""
    yield _appending(stage, rounds)
    yield _correcting(stage, 500 if small else 10_000)
    yield _importing(stage, 1_000 if small else 20_000, rounds=1 if small else 3)


def _appending(stage: Stage, rounds: int) -> Measure:
    tenant = stage.tenant("append")
    for n in range(10):
        stage.version(
            tenant, "short", f"It is {n}.", tx=START + n * HOUR, validFrom=START + n * HOUR
        )
    counter = iter(range(10**9))

    def to_short() -> None:
        stage.version(tenant, "short", f"It is now {next(counter)}.")

    def to_long() -> None:
        stage.version("bench", "longest", f"It is now {next(counter)}.")

    took = interleaved({"short": to_short, "long": to_long}, rounds=rounds * 4, warm=5)
    short, long = median(took["short"]) * 1e3, median(took["long"]) * 1e3
    return Measure("append to the longest history ÷ to one of ten", short, long, "ms", 1.2)


def _correcting(stage: Stage, tiles: int) -> Measure:
    """Correct a version that wins in the gaps between others: all of its tiles change hands."""
    tenant = stage.tenant("correct")
    narrow = (
        {"doc": "s", "seq": n + 1, "tx": START + n * HOUR, "text": f"It is {n}."}
        | {"valid_from": START + n * 2 * HOUR, "valid_to": START + (n * 2 + 1) * HOUR}
        for n in range(tiles)
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in narrow), encoding="utf-8")
        import_jsonl(stage.store, stage.clock, tenant, path)
    window = {"validFrom": START - HOUR, "validTo": START + tiles * 2 * HOUR}
    wide = stage.version(tenant, "s", "It was.", **window).tx
    took = []
    for n in range(3):
        since = time.perf_counter()
        wide = stage.version(tenant, "s", f"It was not {n}.", corrects=wide).tx
        took.append(time.perf_counter() - since)
    require(_tiles_of(stage, tenant, wide) == tiles + 1, "the correction does not win in the gaps")
    return Measure(f"a correction over {tiles:,} tiles", 3.0, median(took), "s", 1.0)


def _tiles_of(stage: Stage, tenant: str, tx: int) -> int:
    [found] = stage.driver.execute_query(_WON_BY, key=key("s", tenant), tx=tx).records
    return int(found["tiles"])


def _importing(stage: Stage, versions: int, *, rounds: int) -> Measure:
    with TemporaryDirectory() as folder:
        path = written(Path(folder) / "rows.jsonl", versions)

        def product() -> None:
            told = import_jsonl(stage.store, stage.clock, stage.tenant("import"), path)
            require(told.stored == versions, f"{told.stored} stored")

        took = interleaved(
            {"bare": lambda: _bare_import(stage, path), "product": product}, rounds=rounds
        )
    bare, ours = (versions / median(took[name]) for name in ("bare", "product"))
    return Measure("bulk import ÷ bare UNWIND … CREATE", bare, ours, "rows/s", 0.5, at_most=False)


def written(path: Path, versions: int) -> Path:
    """Write the histories of documents of ten versions each."""
    words = "The limit holds for all that is said about it here. " * 8
    with path.open("w", encoding="utf-8") as file:
        for n in range(versions):
            row = {"doc": f"d{n // _EACH}", "seq": n % _EACH + 1, "tx": START + (n % _EACH) * HOUR}
            row |= {"commit": f"{n:040x}", "event": "modify", "text": f"{n}. {words}"}
            file.write(json.dumps(row) + "\n")
    return path


def _bare_import(stage: Stage, path: Path) -> None:
    tenant = stage.tenant("bare")
    batch: list[dict[str, object]] = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            last = row["seq"] == _EACH
            until = FOREVER if last else row["tx"] + HOUR
            named = {"source_id": row["doc"], "source_key": f"{tenant}\u001f{row['doc']}"}
            batch.append(row | named | {"until": until, "sha256": row["commit"]})
            if len(batch) == _BATCH:
                _send(stage, tenant, batch)
                batch = []
    if batch:
        _send(stage, tenant, batch)


def _send(stage: Stage, tenant: str, batch: list[dict[str, object]]) -> None:
    stage.driver.execute_query(
        _BARE_IMPORT, tenant=tenant, rows=batch, now=stage.clock.now(), forever=FOREVER
    )
