"""A broker, a tenant and processes for each test, on the one graph of the run."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from neo4j import Driver

from app.flow.audit import broken_invariants
from app.flow.clock import RealClock
from app.graph.audits import Neo4jAudits
from app.graph.store import Neo4jStore
from app.local import stack
from app.local.service import Endpoints
from tests.builders import SetClock, World
from tests.dumps import Graph
from tests.worker.processes import Fleet
from tests.worker.rig import Rig

_numbers = itertools.cycle(range(16))


class TickingClock(SetClock):
    """The real clock, as the workers have it."""

    def now(self) -> int:
        return RealClock().now()


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Valkey of this test process, without a database number."""
    home = tmp_path_factory.mktemp("valkey")
    yield stack.up(home, services=("valkey",)).broker_url.removesuffix("/0")
    stack.down(home)


@pytest.fixture
def broker_url(valkey: str) -> str:
    """An empty database of it."""
    url = f"{valkey}/{next(_numbers)}"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    return url


@pytest.fixture
def fleet(endpoints: Endpoints, tenant: str, broker_url: str, tmp_path: Path) -> Iterator[Fleet]:
    """Workers and beat to be started, with the shipped settings but for a short debounce."""
    (tmp_path / "marks").mkdir()
    made = Fleet(
        tmp_path,
        {
            "NEO4J_URI": endpoints.neo4j_uri,
            "NEO4J_USER": endpoints.neo4j_user,
            "NEO4J_PASSWORD": endpoints.neo4j_password,
            "TELHA_BROKER_URL": broker_url,
            "TELHA_TENANT": tenant,
            "TELHA_ANSWERS__ENABLED": "true",
            "TELHA_WATCH__DEBOUNCE_SECONDS": "1",
            "FENCE_PREFIX": tenant,
            "FENCE_MARKS": str(tmp_path / "marks"),
        },
    )
    yield made
    made.clear()


@pytest.fixture
def rig(driver: Driver, tenant: str, broker_url: str, fleet: Fleet) -> Iterator[Rig]:
    """One tenant whose work the fleet does; after the test every audit invariant must hold."""
    clock = TickingClock()
    world = World(Neo4jStore(driver), tenant=tenant, clock=clock, real=clock)
    made = Rig(world, Graph(driver), broker_url, fleet)
    yield made
    fleet.clear()
    assert not broken_invariants(Neo4jAudits(driver), tenant)
