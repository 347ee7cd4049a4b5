"""A corpus that is put into a repository is imported from there as from its file."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from neo4j import Driver

from app.core.instants import DAY, SECOND, instant
from app.flow.import_git import import_git
from app.graph.store import Neo4jStore
from tests.builders import NOON, SetClock, World
from tests.corpora import Row, rows
from tests.dumps import Graph

LATE = NOON + 300 * DAY  # after every stamp
VERSIONS = """
MATCH (v:SourceVersion) WHERE v.source_key STARTS WITH $tenant + '\\u001f'
RETURN v.source_id AS source_id, v.tx AS tx, v.valid_from AS valid_from, v.ends AS ends,
       v.text_sha256 AS text_sha256, v.observed_at AS observed_at
ORDER BY source_id, tx
"""


def put_into(path: Path, published: Sequence[Row]) -> None:
    """Make a repository in which each row is a commit, document by document."""
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", path], check=True)
    stream = b"".join(line for row in _with_old_paths(published) for line in _commit(*row))
    command = ["git", "-C", str(path), "fast-import", "--quiet", "--date-format=raw"]
    subprocess.run(command, input=stream, check=True)


def _with_old_paths(published: Sequence[Row]) -> Iterator[tuple[Row, str | None]]:
    lying: dict[str, str] = {}
    for row in published:
        yield row, lying.get(row["doc"])
        lying[row["doc"]] = row["source"]


def _commit(row: Row, old_path: str | None) -> Iterator[bytes]:
    yield b"commit refs/heads/main\n"
    for role in ("author", "committer"):
        seconds = instant(row[f"{role}_ts"], field=role) // SECOND
        yield f"{role} x <x> {seconds} +0000\n".encode()
    yield b"data 0\n"
    if old_path not in (None, row["source"]):
        yield f'R "{old_path}" "{row["source"]}"\n'.encode()
    if row["event"] == "delete":
        yield f'D "{row["source"]}"\n\n'.encode()
    else:
        text = row["text"].encode()
        yield f'M 100644 inline "{row["source"]}"\ndata {len(text)}\n'.encode() + text + b"\n\n"


@pytest.mark.proof
@pytest.mark.timeout(300)
@pytest.mark.parametrize("corpus", ["agrc-status", "site-policy"])
def test_the_same_history_gives_the_same_versions(
    store: Neo4jStore, driver: Driver, tmp_path: Path, corpus: str
) -> None:
    published = rows(corpus, lambda row: True)
    published.sort(key=lambda row: (row["doc"], row["seq"]))
    file = tmp_path / "versions.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in published), encoding="utf-8")
    put_into(tmp_path / "repo", published)
    from_file, from_git = (World(store, clock=SetClock(LATE)) for _ in range(2))
    told = from_file.imported(file)

    done = import_git(store, from_git.clock, from_git.tenant, tmp_path / "repo", globs=["**"])

    assert (done.sources, done.rows, done.stored) == (told.sources, told.rows, told.stored)
    graph = Graph(driver)
    found = [graph.rows(VERSIONS, world.tenant) for world in (from_file, from_git)]
    assert found[0] == found[1]
