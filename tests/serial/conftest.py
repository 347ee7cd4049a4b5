"""Stages on the real server, with the product's statements or with some that are replaced."""

from collections.abc import Mapping
from typing import Protocol

import pytest
from neo4j import Driver

from app.graph.audits import Neo4jAudits
from app.graph.loader import Statement, load
from app.graph.store import Neo4jStore
from tests.dumps import Graph
from tests.serial.stage import Stage


class Staged(Protocol):
    """Makes a stage; ``replaced`` statements stand in for those of the catalogue."""

    def __call__(self, replaced: Mapping[str, Statement] = ...) -> Stage: ...


@pytest.fixture(scope="session")
def staged(driver: Driver) -> Staged:
    """A maker of stages."""
    audits, catalogue = Neo4jAudits(driver), load()

    def make(replaced: Mapping[str, Statement] | None = None) -> Stage:
        statements = {**catalogue, **(replaced or {})}
        return Stage(lambda: Neo4jStore(driver, statements), Graph(driver), audits)

    return make
