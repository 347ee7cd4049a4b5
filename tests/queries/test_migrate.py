"""Migrations: each once, in order, under a lock, and never over another history."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from threading import Timer
from uuid import uuid4

import pytest
from neo4j import Driver

from app.core.errors import Invalid, Unavailable
from app.graph.cypher_text import masked
from app.graph.loader import load
from app.graph.migrate import _await_index, migrate, pending
from app.graph.queries.migrate import TAKE_LOCK
from app.graph.store import RETRY_SECONDS, Neo4jStore

FIRST = "V001__first.cypher"
SECOND = "V002__second.cypher"


class Chain:
    """A chain of migrations of its own, over a label of its own."""

    def __init__(self, driver: Driver, folder: Path) -> None:
        self.driver = driver
        self.folder = folder
        self.project = f"test{uuid4().hex}"

    def file(self, name: str, key: str) -> None:
        (self.folder / name).write_text(
            f"CREATE INDEX {self.project}_{key} IF NOT EXISTS FOR (n:{self.project}) ON (n.{key});",
            encoding="utf-8",
        )

    def migrate(self) -> list[str]:
        return migrate(self.driver, folder=self.folder, project=self.project)

    def pending(self) -> list[str]:
        return pending(self.driver, folder=self.folder, project=self.project)

    def indexes(self) -> set[str]:
        with self.driver.session() as session:
            found = session.run("SHOW INDEXES YIELD name, state").data()
        return {
            f["name"].removeprefix(f"{self.project}_")
            for f in found
            if f["name"].startswith(self.project) and f["state"] == "ONLINE"
        }

    def records(self) -> list[str]:
        with self.driver.session() as session:
            query = "MATCH (m:__Neo4jMigration {project: $p}) RETURN m.version AS v ORDER BY v"
            return [str(r["v"]) for r in session.run(query, p=self.project)]

    def remove(self) -> None:
        with self.driver.session() as session:
            for name in self.indexes():
                session.run(f"DROP INDEX {self.project}_{name}").consume()
            query = "MATCH (m:__Neo4jMigration {project: $p}) DETACH DELETE m"
            session.run(query, p=self.project).consume()


@pytest.fixture
def chain(driver: Driver, tmp_path: Path) -> Iterator[Chain]:
    made = Chain(driver, tmp_path)
    made.file(FIRST, "a")
    made.file(SECOND, "b")
    yield made
    made.remove()


def refusal(chain: Chain) -> str:
    with pytest.raises(Invalid) as told:
        chain.pending()
    with pytest.raises(Invalid) as caught:
        chain.migrate()
    assert caught.value.code == told.value.code
    assert caught.value.hint
    return caught.value.code


def test_pending_files_are_applied_in_order_and_once(chain: Chain) -> None:
    assert chain.pending() == [FIRST, SECOND]
    assert chain.migrate() == [FIRST, SECOND]
    assert chain.indexes() == {"a", "b"}
    assert chain.pending() == []
    assert chain.migrate() == []


def test_a_later_file_is_applied_on_top(chain: Chain) -> None:
    chain.migrate()
    chain.file("V003__third.cypher", "c")
    assert chain.migrate() == ["V003__third.cypher"]


def test_concurrent_calls_are_one(chain: Chain) -> None:
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(lambda _: chain.migrate(), range(6)))
    assert [found for found in applied if found] == [[FIRST, SECOND]]
    assert chain.records() == ["001", "002", "BASELINE"]


@pytest.mark.slow
def test_a_call_waits_for_one_that_takes_longer_than_the_driver_tries(chain: Chain) -> None:
    with chain.driver.session() as session:
        slow = session.begin_transaction()
        slow.run(load()[TAKE_LOCK.name].text, token="another call")
        free = Timer(RETRY_SECONDS + 6, slow.commit)
        free.start()
        try:
            assert chain.migrate() == [FIRST, SECOND]
        finally:
            free.join()


def test_a_file_applied_but_not_recorded_is_applied_again(chain: Chain) -> None:
    with chain.driver.session() as session:
        text = (chain.folder / FIRST).read_text(encoding="utf-8")
        session.run(text.removesuffix(";")).consume()
    assert chain.migrate() == [FIRST, SECOND]


def test_a_file_changed_afterwards_is_refused_and_nothing_done(chain: Chain) -> None:
    chain.migrate()
    chain.file(FIRST, "changed")
    chain.file("V003__third.cypher", "c")
    assert refusal(chain) == "MIGRATION_CHANGED"
    assert chain.indexes() == {"a", "b"}


def test_a_database_newer_than_the_code_is_refused(chain: Chain) -> None:
    chain.migrate()
    (chain.folder / SECOND).unlink()
    assert refusal(chain) == "MIGRATION_UNKNOWN"


def test_a_file_below_those_applied_is_refused(chain: Chain) -> None:
    chain.migrate()
    chain.file("V001_5__between.cypher", "c")
    assert refusal(chain) == "MIGRATION_SKIPPED"
    assert chain.indexes() == {"a", "b"}


def test_a_system_user_without_a_name_is_told_before_anything_is_done(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr("getpass.getuser", nameless)
    with pytest.raises(Invalid) as caught:
        chain.migrate()
    assert caught.value.code == "USER_UNNAMED"
    assert chain.records() == []


def test_a_migrated_database_has_nothing_pending(driver: Driver) -> None:
    assert pending(driver) == []
    assert migrate(driver) == []


@pytest.mark.parametrize(
    "file",
    [f for f in (files("cypher") / "migrations").iterdir() if f.name.endswith(".cypher")],
    ids=lambda file: file.name,
)
def test_a_shipped_migration_may_run_again_and_is_read_alike_everywhere(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert re.fullmatch(r"V\d{3}__[a-z_]+\.cypher", file.name)
    assert text.isascii(), "the library reads files in the machine's own encoding"
    assert text.rstrip().endswith(";"), "the library drops what follows the last semicolon"
    assert text.count(";") == masked(text).count(";"), "the library splits inside strings as well"
    schema = [bool(re.match(r"\s*(CREATE|DROP)\b", one)) for one in masked(text).split(";")[:-1]]
    assert all(schema) or not any(schema), "schema and data cannot change in one transaction"
    for statement in masked(text).split(";")[:-1]:
        assert re.search(r"\bIF (NOT )?EXISTS\b|\bMERGE\b|\bSET\b", statement)


def test_an_index_that_does_not_come_online_is_named(store: Neo4jStore) -> None:
    with pytest.raises(Unavailable) as refused:
        _await_index(store, "no_such_index")
    assert refused.value.code == "STORE_INDEX_OFFLINE"
    assert "no_such_index" in str(refused.value)
