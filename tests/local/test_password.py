"""A generated password may begin with a dash, as one in 64 does; it is not taken for an option."""

import json
from pathlib import Path
from typing import Final

import pytest
import redis

from app.core.errors import Unavailable
from app.local import stack
from app.local.home import home_at, write_private
from app.local.neo4j_server import Neo4jServer
from app.local.report import Quiet
from app.local.service import Endpoints
from app.local.state import Memory

DASHED: Final = "-yTn5X3kQ0hWc2vB7sLrM1aZ"


def neo4j_with(password: str, folder: Path) -> Neo4jServer:
    home = home_at(folder)
    home.root.mkdir()
    return Neo4jServer(home=home, port=7687, password=password, memory=Memory())


def test_neo4j_takes_a_password_that_begins_with_a_dash(
    tmp_path: Path, endpoints: Endpoints
) -> None:
    del endpoints  # once servers run, the jars are there
    server = neo4j_with(DASHED, tmp_path / ".telha")
    server.prepare(Quiet())
    assert (server.folder / "data" / "dbms" / "auth.ini").exists()


def test_a_password_that_neo4j_refuses_is_told_in_a_line(
    tmp_path: Path, endpoints: Endpoints
) -> None:
    del endpoints
    server = neo4j_with("short", tmp_path / ".telha")
    with pytest.raises(Unavailable) as refused:
        server.prepare(Quiet())
    assert refused.value.code == "LOCAL_START_FAILED"
    assert "password" in refused.value.message
    assert "\n" not in refused.value.message


def test_valkey_takes_a_password_that_begins_with_a_dash(tmp_path: Path) -> None:
    home = home_at(tmp_path / ".telha")
    home.root.mkdir()
    write_private(home.secrets, json.dumps({"neo4j": DASHED, "valkey": DASHED}))
    try:
        ends = stack.up(home.root, services=("valkey",))
        with redis.Redis.from_url(ends.broker_url) as client:
            assert client.ping()
    finally:
        stack.down(home.root)
