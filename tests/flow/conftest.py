"""Worlds for the tests of the flow, and the audit invariants after each."""

from collections.abc import Callable, Iterator

import pytest
from neo4j import Driver

from app.flow.audit import broken_invariants
from app.graph.audits import Neo4jAudits
from app.graph.store import Neo4jStore
from tests.builders import World
from tests.dumps import Graph

Worlds = Callable[[], World]
Stores = Callable[[], Neo4jStore]


@pytest.fixture(scope="session")
def audits(driver: Driver) -> Neo4jAudits:
    """The audit queries."""
    return Neo4jAudits(driver)


@pytest.fixture
def graph(driver: Driver) -> Graph:
    """A look at the graph beside the store."""
    return Graph(driver)


@pytest.fixture
def stores(driver: Driver) -> Stores:
    """A maker of stores that share nothing but the driver, as processes would."""
    return lambda: Neo4jStore(driver)


@pytest.fixture
def worlds(store: Neo4jStore, audits: Neo4jAudits) -> Iterator[Worlds]:
    """A maker of tenants; after the test every audit invariant must hold in each."""
    made: list[World] = []

    def make() -> World:
        made.append(World(store))
        return made[-1]

    yield make
    assert [broken_invariants(audits, world.tenant) for world in made] == [{}] * len(made)


@pytest.fixture
def world(worlds: Worlds) -> World:
    """One tenant whose clock stands at noon."""
    return worlds()
