"""Stages on the real server: the product's or with a bug planted."""

import random
from typing import Protocol

import pytest
from neo4j import Driver

from app.graph.audits import Neo4jAudits
from app.graph.loader import load
from app.graph.store import Neo4jStore
from app.ports import Store
from tests.dumps import Graph
from tests.serial.planted import Bug
from tests.serial.stage import Stage


class Staged(Protocol):
    """Makes a stage, with a bug planted where there is one."""

    def __call__(self, bug: Bug | None = None) -> Stage: ...


@pytest.fixture(scope="session")
def staged(driver: Driver) -> Staged:
    """A maker of stages."""
    audits, catalogue = Neo4jAudits(driver), load()

    def make(bug: Bug | None = None) -> Stage:
        if bug is None:
            return Stage(lambda chance: Neo4jStore(driver, catalogue), Graph(driver), audits)
        statements = {**catalogue, **bug.replaced(catalogue)}

        def store(chance: random.Random | None) -> Store:
            right = Neo4jStore(driver, statements)
            return bug.wrong(right, chance) if bug.wrong else right

        return Stage(store, Graph(driver), None)

    return make
