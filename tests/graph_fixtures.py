"""Fixtures on a migrated graph, for every test that asks for the server's ``endpoints``."""

from collections.abc import Iterator

import pytest
from neo4j import Driver

from app.graph.migrate import migrate
from app.graph.store import Neo4jStore, open_driver
from app.local.stack import Endpoints


@pytest.fixture(scope="session")
def driver(endpoints: Endpoints) -> Iterator[Driver]:
    """A driver on the migrated graph that lets the server's notifications through."""
    opened = open_driver(
        endpoints.neo4j_uri,
        endpoints.neo4j_user,
        endpoints.neo4j_password,
        notifications=True,
    )
    with opened:
        migrate(opened)
        yield opened


@pytest.fixture(scope="session")
def store(driver: Driver) -> Neo4jStore:
    """The store, as ``app.wiring`` makes it."""
    return Neo4jStore(driver)
