"""One server for the whole run: ``NEO4J_URI`` if it is set, else a container, else an embedded one.

A container where a Docker engine answers and has the image. Container and embedded servers are
written down in ``.telha-test``: every worker of a run, and every run at once, shares them; the last
run to end stops them.
"""

import fcntl
import os
import uuid
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

from app.local import stack
from app.local.service import SERVERS, Endpoints
from tests import containers

pytest.register_assert_rewrite("tests.flow.scene")
pytest_plugins = ["tests.graph_fixtures"]

HOME = Path(__file__).parent.parent / ".telha-test"
_users: list[IO[str]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Join those who use the servers, whether or not any test will."""
    if not hasattr(config, "workerinput"):
        HOME.mkdir(exist_ok=True)
        users = (HOME / "users").open("w")
        fcntl.flock(users, fcntl.LOCK_SH)
        _users.append(users)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the servers of the tests' own, unless another run still uses them."""
    while _users:
        users = _users.pop()
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            stack.down(HOME)
            containers.down(HOME)
        except BlockingIOError:
            pass
        finally:
            users.close()


@pytest.fixture(scope="session")
def endpoints() -> Endpoints:
    """Where the servers of this run answer."""
    if uri := os.environ.get("NEO4J_URI"):
        return Endpoints(
            neo4j_uri=uri,
            neo4j_user=os.environ.get("NEO4J_USER", "neo4j"),
            neo4j_password=os.environ.get("NEO4J_PASSWORD", ""),
            broker_url=os.environ.get("TELHA_BROKER_URL", "redis://127.0.0.1:6379/0"),
        )
    if container := containers.up(HOME):
        uri, password = container
        broker = stack.up(HOME, services=("valkey",))
        return replace(broker, neo4j_uri=uri, neo4j_user="neo4j", neo4j_password=password)
    return stack.up(HOME, services=SERVERS)


@pytest.fixture
def tenant() -> str:
    """A tenant of the test's own."""
    return f"t-{uuid.uuid4().hex[:12]}"
