"""Random graphs: whatever is written, every query tells what a literal reading of the design tells.

``TELHA_GRAPHS`` says how many, where neither 500 nor, in a soak run, 20,000 are wanted. A part is
replayed by its number, which is its seed.
"""

import os

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from neo4j import Driver

from app.graph.audits import Neo4jAudits
from app.graph.store import Neo4jStore
from app.ports import Audits
from tests.builders import World
from tests.dumps import Graph
from tests.model.machine import Graphs

PARTS, STEPS = 4, 14
GRAPHS = int(os.environ.get("TELHA_GRAPHS", "500"))
SOAK = int(os.environ.get("TELHA_GRAPHS", "20000"))


def run(driver: Driver, part: int, graphs: int) -> None:
    store, queries = Neo4jStore(driver), Neo4jAudits(driver)

    def opened() -> tuple[World, Graph, Audits]:
        return World(store), Graph(driver), queries

    machine = type("SeededGraphs", (Graphs,), {"open_world": staticmethod(opened)})
    run_state_machine_as_test(
        seed(part)(machine),
        settings=settings(
            max_examples=graphs,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.proof
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_graph_tells_what_its_model_tells(driver: Driver, part: int) -> None:
    run(driver, part, GRAPHS // PARTS)


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(100, 100 + -(-SOAK // 500)))
def test_many_graphs_tell_what_their_models_tell(driver: Driver, part: int) -> None:
    run(driver, part, min(500, SOAK))
