"""Brokers, tenants and processes, on the one graph of the run.

``rig`` is a tenant that the *house* serves: one worker and beat of this test process. Tests that
need other settings, or kill whole processes, take ``own_rig`` and start what they want.
"""

import itertools
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
import redis
from neo4j import Driver

from app.config import Settings, WatchSettings
from app.flow.audit import broken_invariants
from app.flow.clock import RealClock
from app.graph.audits import Neo4jAudits
from app.graph.store import Neo4jStore
from app.local import stack
from app.local.service import Endpoints
from app.wiring import Stack
from app.worker import run
from app.worker.celery_app import app
from tests.builders import SetClock, World
from tests.dumps import Graph
from tests.worker.processes import Fleet
from tests.worker.rig import Rig

if TYPE_CHECKING:
    from celery import Task

Send = Callable[..., None]


class SilentWake:
    """Wakes nobody."""

    def __call__(self, tenant: str) -> None:
        pass

    def jobs(self, tenant: str) -> None:
        pass


_numbers = itertools.cycle(range(1, 16))


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


@pytest.fixture(scope="session")
def house(
    endpoints: Endpoints, driver: Driver, valkey: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    """A worker and beat for every tenant whose name begins with ``house.prefix``."""
    with closing(fleet_on(tmp_path_factory.mktemp("house"), endpoints, f"{valkey}/0")) as made:
        made.worker(wait=False)
        made.beat(wait=False)
        made.wait_until_ready()
        yield made


@pytest.fixture
def rig(driver: Driver, house: Fleet) -> Iterator[Rig]:
    """A tenant that the house serves; after the test every audit invariant must hold."""
    yield from rigs(driver, house)


@pytest.fixture
def own_rig(endpoints: Endpoints, driver: Driver, broker_url: str, tmp_path: Path) -> Iterator[Rig]:
    """A tenant with a broker of its own, that nothing serves yet."""
    with closing(fleet_on(tmp_path, endpoints, broker_url)) as fleet:
        yield from rigs(driver, fleet)


def fleet_on(folder: Path, endpoints: Endpoints, broker_url: str) -> Fleet:
    """Processes to be started, with the shipped settings but for a short debounce."""
    (folder / "slow").mkdir(parents=True)
    prefix = f"w-{uuid.uuid4().hex[:8]}"
    env = {
        "NEO4J_URI": endpoints.neo4j_uri,
        "NEO4J_USER": endpoints.neo4j_user,
        "NEO4J_PASSWORD": endpoints.neo4j_password,
        "TELHA_BROKER_URL": broker_url,
        "TELHA_TENANT": f"{prefix}-default",
        "TELHA_ANSWERS__ENABLED": "true",
        "TELHA_WATCH__DEBOUNCE_SECONDS": "1",
        "FENCE_PREFIX": prefix,
        "FENCE_SLOW": str(folder / "slow"),
    }
    return Fleet(folder, env, prefix)


def rigs(driver: Driver, fleet: Fleet) -> Iterator[Rig]:
    clock = TickingClock()
    tenant = f"{fleet.prefix}-{uuid.uuid4().hex[:8]}"
    watch = WatchSettings(debounce_seconds=1)  # what is checked right here closes as soon
    world = World(Neo4jStore(driver), tenant, clock, clock, watch=watch)
    made = Rig(world, Graph(driver), fleet)
    yield made
    assert not broken_invariants(Neo4jAudits(driver), tenant)


@pytest.fixture
def home(driver: Driver, store: Neo4jStore, tenant: str) -> Stack:
    """A stack of one tenant, as a worker's child opens it."""
    world = World(store, tenant)
    settings = Settings.model_validate({"tenant": tenant})
    return Stack(
        settings=settings,
        store=store,
        audits=Neo4jAudits(driver),
        clock=world.clock,
        real=world.real,
        verifier=world.verifier,
        wake=SilentWake(),
    )


@pytest.fixture
def send(home: Stack, monkeypatch: pytest.MonkeyPatch) -> Send:
    """Run a message of a task, as a worker's child does."""
    app.loader.import_default_modules()
    monkeypatch.setattr(run, "stack", lambda: home)

    def sent(name: str, task_id: str = "m-1", **body: Any) -> None:
        task = cast("Task[..., None]", app.tasks[name])
        task.push_request(id=task_id, retries=0, called_directly=False)
        try:
            task.run(**body)
        finally:
            task.pop_request()

    return sent
