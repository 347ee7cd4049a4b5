"""The statements on the way from a change to a status: what they touch, by PROFILE."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from neo4j import Driver, ManagedTransaction

from app.core.instants import HOUR
from app.core.values import source_key
from app.graph.catalog import Query
from app.graph.loader import load
from app.graph.queries import ingest as q
from app.graph.queries.job import READ_OPEN_JOBS
from app.graph.queries.recheck import READ_LOSSES
from app.graph.store import Neo4jStore
from app.ports import Tx
from tests.builders import NOON, Cite, Said, World
from tests.fakes import OneByOne
from tests.queries.plans import operators

R = TypeVar("R")
T = TypeVar("T")

STATEMENTS = load()
CHAIN = 2
"""A relationship may lie a place or two further on in its node's chain."""
SEEKS = {
    "Argument",
    "Create",
    "Unwind",
    "EmptyRow",
    "MergeUniqueNode",
    "NodeUniqueIndexSeek",
    "NodeIndexSeek",
    "DirectedRelationshipUniqueIndexSeek",
    "DirectedRelationshipIndexSeek",
}


@dataclass
class Profiling(OneByOne):
    """A store that runs each statement under PROFILE and keeps what its operators did."""

    driver: Driver
    profiles: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        with self.driver.session() as session:
            return session.execute_read(self.run, query, parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        with self.driver.session() as session:
            return session.execute_write(lambda tx: work(ProfilingTx(tx, self)))

    def run(self, tx: ManagedTransaction, query: Query[R], parameters: dict[str, Any]) -> list[R]:
        result = tx.run(f"PROFILE {STATEMENTS[query.name].text}", parameters)
        rows = [query.row(**record.data()) for record in result]
        profile = result.consume().profile
        assert profile is not None
        self.profiles.append((query.name, profile))
        return rows


@dataclass
class ProfilingTx:
    tx: ManagedTransaction
    store: Profiling

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.run(self.tx, query, parameters)


def hits(profile: dict[str, Any]) -> int:
    """Return the db hits of a profile."""
    return sum(int(operator["args"].get("DbHits", 0)) for operator in operators(profile))


def cited(world: World, *source_ids: str) -> str:
    """Save an answer with a claim on each source, settled; return its id."""
    txs = {source_id: world.version(source_id, "It is grey.").tx for source_id in source_ids}
    return world.answer(*[Said("It is.", [Cite(name, tx, "grey")]) for name, tx in txs.items()])


def changed(world: World, driver: Driver, source_id: str) -> list[tuple[str, dict[str, Any]]]:
    """Change a source and settle; return the profile of every statement on the way."""
    store = Profiling(driver)
    there = world.on(store)
    there.version(source_id, "It is blue.")
    there.dispatch()
    assert [each.changed for each in there.run_jobs()] == [True]
    return store.profiles


@pytest.fixture
def world(store: Neo4jStore) -> World:
    return World(store)


def test_a_change_touches_no_more_beside_ten_times_the_unrelated_data(
    world: World, driver: Driver
) -> None:
    touched = []
    for name, unrelated in (("few", 1), ("many", 10)):
        for nth in range(unrelated):
            cited(world, f"{name}-{nth}")
            cited(World(world.store), f"{name}-{nth}")
        cited(world, name)
        counted: Counter[str] = Counter()
        for statement, profile in changed(world, driver, name):
            counted[statement] += hits(profile)
        touched.append(counted)
    assert len(touched[0]) > 20
    few, many = touched
    assert few.keys() == many.keys()
    more = {name: many[name] - few[name] for name in few if many[name] != few[name]}
    assert all(abs(hits) <= CHAIN for hits in more.values()), more


def test_every_statement_on_the_way_enters_the_graph_by_an_index(
    world: World, driver: Driver
) -> None:
    cited(world, "sky", "sea")
    for statement, profile in changed(world, driver, "sky"):
        leaves = [each for each in operators(profile) if not each.get("children")]
        entered = {re.split("[@(]", each["operatorType"])[0] for each in leaves}
        assert entered <= SEEKS, statement


def test_who_wins_costs_as_much_in_a_long_history(world: World, driver: Driver) -> None:
    key = source_key(world.tenant, "sky")
    for nth in range(60):
        world.clock.at = NOON + nth * HOUR
        world.version("sky", f"It is {nth}.")
        if nth in (1, 59):
            reading = Profiling(driver)
            at, known_at = world.clock.at, NOON + nth // 2 * HOUR
            reading.read(q.READ_WINNER, source_key=key, at=at)
            reading.read(q.READ_WINNER_KNOWN_AT, source_key=key, at=at, known_at=known_at)
            assert [hits(profile) for _, profile in reading.profiles] == [5, 8]


def test_judging_touches_a_citation_a_fixed_number_of_times(world: World, driver: Driver) -> None:
    per_claim = []
    for claims in (10, 20):
        answer_id = cited(world, *[f"sky-{claims}-{nth}" for nth in range(claims)])
        reading = Profiling(driver)
        instants = [{"answer_id": answer_id, "at": NOON}]
        assert reading.read(READ_LOSSES, tenant=world.tenant, instants=instants) == []
        per_claim.append(hits(reading.profiles[0][1]) / claims)
    assert per_claim[1] <= per_claim[0] <= 16


def test_what_displaced_a_version_is_sought_once_however_many_cite_it(
    world: World, driver: Driver
) -> None:
    tx = world.version("sky", "It is grey.").tx
    said = Said("It is.", [Cite("sky", tx, "grey")])
    ids = [world.answer(said, question=f"What is it, {nth}?") for nth in range(6)]
    now = world.version("sky", "It is blue.").tx
    taken = []
    for some in (ids[:1], ids):
        reading = Profiling(driver)
        instants = [{"answer_id": answer_id, "at": now} for answer_id in some]
        [lost] = reading.read(READ_LOSSES, tenant=world.tenant, instants=instants)
        assert sorted(each["answer_id"] for each in lost.cited) == sorted(some)
        searches = [
            each
            for each in operators(reading.profiles[0][1])
            if re.match("DirectedRelationship.*IndexSeek", each["operatorType"])
        ]
        taken.append([int(each["args"]["DbHits"]) for each in searches])
    assert taken[0] == taken[1] != []


def test_the_longest_waiting_job_is_read_in_the_order_of_the_index(
    world: World, driver: Driver
) -> None:
    for nth in range(5):
        world.saved(Said("It is.", ()), question=f"Is it, {nth}?")
    reading = Profiling(driver)
    asked = {"tenant": world.tenant, "audience": "internal", "now": NOON, "page": 1}
    assert len(reading.read(READ_OPEN_JOBS, **asked)) == 1
    [(_, profile)] = reading.profiles
    kinds = {each["operatorType"].partition("@")[0] for each in operators(profile)}
    assert "NodeIndexSeek" in kinds
    assert not kinds & {"Sort", "Top", "PartialSort", "PartialTop"}
