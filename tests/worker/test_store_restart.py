"""Neo4j restarted in the middle. A server of this test's own: the shared one serves every test."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from neo4j import Driver

from app.graph.store import open_driver
from app.local import stack
from app.local.state import Memory
from app.wiring import start_local
from tests.worker.conftest import fleet_on, rigs
from tests.worker.processes import wait_for
from tests.worker.rig import Rig

SMALL = Memory("256m", "384m", "64m")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """An embedded Neo4j and Valkey."""
    made = tmp_path / "home"
    start_local(made, memory=SMALL, workers=False)
    yield made
    stack.down(made)


@pytest.fixture
def driver(home: Path) -> Iterator[Driver]:
    where = stack.running(home)
    assert where
    with open_driver(where.neo4j_uri, where.neo4j_user, where.neo4j_password) as opened:
        yield opened


@pytest.fixture
def mine(home: Path, driver: Driver, tmp_path: Path) -> Iterator[Rig]:
    where = stack.running(home)
    assert where
    with closing(fleet_on(tmp_path / "fleet", where, where.broker_url)) as fleet:
        yield from rigs(driver, fleet)


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_a_store_restarted_and_killed_delays_what_was_sent_and_loses_nothing(
    mine: Rig, home: Path
) -> None:
    rig = mine
    sources = [f"s{n}" for n in range(12)]
    answers = rig.rest_on(sources)
    worker = rig.fleet.worker(wait=False)
    rig.fleet.beat()
    children = worker.children

    for source in sources[:4]:
        rig.contradict(source)
    stack.restart(home, "neo4j")
    for source in sources[4:8]:
        rig.contradict(source)
    [server] = [s.pid for s in stack.status(home) if s.name == "neo4j"]
    assert server
    waiting = worker.text.count("task_waits")  # of the restart
    os.kill(server, signal.SIGKILL)
    for source in sources[8:]:
        text = f"The cap of {source} is 3."
        rig.send("telha.ingest_version", tenant=rig.tenant, sourceId=source, text=text)
    wait_for(lambda: worker.text.count("task_waits") > waiting or None, 60, "a task that waits")
    stack.up(home, services=("neo4j",))

    versions = "MATCH (v:SourceVersion {tenant: $tenant}) RETURN count(v)"
    wait_for(lambda: rig.graph.one(versions, rig.tenant) == 24 or None, 60, "every version")
    rig.settle(30)
    for answer in answers:
        rig.has_moved_once(answer)
    assert worker.children == children
    assert rig.parked() == []
