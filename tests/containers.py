"""A Neo4j in a container, where a Docker engine answers and has the image: nothing is pulled.

It is shared as the embedded servers are: the first process of a run to need it starts it and writes
down where it answers, the last run to end removes it.
"""

import fcntl
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

NEO4J: Final = "neo4j:5.26-community"
_STATE: Final = "container.json"
_SETTINGS: Final = {
    "NEO4J_server_memory_heap_initial__size": "512m",
    "NEO4J_server_memory_heap_max__size": "1g",
    "NEO4J_server_memory_pagecache_size": "128m",
    "NEO4J_db_lock_acquisition_timeout": "5s",
    "NEO4J_db_transaction_timeout": "120s",
}


def engine_answers() -> bool:
    """Whether a Docker engine listens; the answer is instant where none does."""
    where = urlsplit(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock"))
    local = where.scheme == "unix"
    try:
        with socket.socket(socket.AF_UNIX if local else socket.AF_INET) as probe:
            probe.settimeout(0.5)
            probe.connect(where.path if local else (where.hostname, where.port))
    except (OSError, TypeError):
        return False
    return True


def has_images(*names: str) -> bool:
    """Whether an engine answers and has all of these images already."""
    if not engine_answers():
        return False
    with _engine() as engine:
        return all(engine.images.list(name=name) for name in names)


def up(home: Path) -> tuple[str, str] | None:
    """Return address and password of the run's container; ``None`` where there can be none."""
    if not has_images(NEO4J):
        return None
    with (home / "container.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _running(home / _STATE) or _start(home / _STATE)


def down(home: Path) -> None:
    """Remove the container, if one was started."""
    state = home / _STATE
    if state.exists() and engine_answers():
        with _engine() as engine:
            for found in engine.containers.list(all=True, filters={"id": _read(state)["id"]}):
                found.remove(force=True, v=True)
    state.unlink(missing_ok=True)


def _running(state: Path) -> tuple[str, str] | None:
    if not state.exists():
        return None
    known = _read(state)
    with _engine() as engine:
        alive = engine.containers.list(filters={"id": known["id"]})
    return (known["uri"], known["password"]) if alive else None


def _start(state: Path) -> tuple[str, str]:
    from testcontainers.community.neo4j import Neo4jContainer  # noqa: PLC0415 — needed by few runs
    from testcontainers.core.config import testcontainers_config  # noqa: PLC0415

    # The reaper would take the container from the other processes once this one ends.
    testcontainers_config.ryuk_disabled = True
    testcontainers_config.max_tries = 600  # seconds: a busy machine takes its time
    password = secrets.token_hex(16)  # the image's own script takes a leading dash for an option
    container = Neo4jContainer(NEO4J, username="neo4j", password=password).with_envs(**_SETTINGS)
    try:
        container.start()
        uri = container.get_connection_url()
    except BaseException:
        container.stop()
        raise
    known = {"id": container.get_container_id(), "uri": uri, "password": password}
    state.write_text(json.dumps(known))
    container.get_docker_client().client.close()
    return uri, password


def _read(state: Path) -> dict[str, str]:
    known: dict[str, str] = json.loads(state.read_text())
    return known


@contextmanager
def _engine() -> Iterator[Any]:
    from testcontainers.core.docker_client import DockerClient  # noqa: PLC0415 — half a second

    with closing(DockerClient().client) as client:
        yield client
