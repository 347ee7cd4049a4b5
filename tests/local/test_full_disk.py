"""A disk that fills up while servers run: told as such, and over once there is room again."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from app.core.errors import Unavailable
from app.graph.store import Neo4jStore, open_driver
from app.local import stack, state
from app.local.home import home_at
from app.local.lines import LTS
from app.local.state import Memory
from app.wiring import start_local
from tests.builders import World
from tests.worker.processes import wait_for

SMALL = Memory("256m", "384m", "64m")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 420 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=420m", "tmpfs", place],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount a small file system")
    yield place
    stack.down(place / ".telha")
    subprocess.run(["umount", "--lazy", place], check=True)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / ".telha"
    yield place
    stack.down(place)


def fill(disk: Path) -> Path:
    """Leave no room at all; return what to delete."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 65_536):
            pass
    assert shutil.disk_usage(disk).free == 0
    return ballast


def trouble(home: Path, name: str) -> str | None:
    return next(one.trouble for one in stack.status(home) if one.name == name)


def test_a_disk_that_fills_up_under_a_server_is_told(disk: Path) -> None:
    home = disk / ".telha"
    stack.up(home, services=("valkey",))
    assert trouble(home, "valkey") is None

    ballast = fill(disk)
    assert trouble(home, "valkey") == "its disk is full"
    with pytest.raises(Unavailable, match="is full") as refused:
        stack.up(home, services=("valkey",))
    assert refused.value.code == "LOCAL_DISK_FULL"

    assert stack.down(home) == ["valkey"]
    ballast.unlink()
    with Redis.from_url(stack.up(home, services=("valkey",)).broker_url) as client:
        assert client.set("works", "again")


def test_what_the_log_tells_of_a_full_disk_is_told_until_the_next_start(home: Path) -> None:
    stack.up(home, services=("valkey",))
    place = home_at(home)
    remembered = state.load(place)
    state.save(place, remembered.with_started("neo4j", remembered.started["valkey"]))
    log = home / LTS.folder / "logs" / "debug.log"
    log.parent.mkdir(parents=True)

    log.write_text("INFO all is well\n")
    assert trouble(home, "neo4j") is None
    log.write_text("x" * 12_000_000 + "java.io.IOException: No space left on device\n")
    assert "takes no writes" in str(trouble(home, "neo4j"))
    assert trouble(home, "valkey") is None


@contextlib.contextmanager
def out_of_disk(disk: Path) -> Iterator[tuple[World, int]]:
    """A Neo4j in whose middle of a write the disk was full, and has room again; what it stored."""
    where = start_local(disk / ".telha", memory=SMALL, workers=False)
    with open_driver(where.neo4j_uri, where.neo4j_user, where.neo4j_password) as driver:
        world = World(Neo4jStore(driver))
        stored = world.version("cap", "The cap is 2.").tx
        ballast = fill(disk)
        with pytest.raises(Unavailable) as refused:
            write_until_refused(world)
        assert refused.value.code == "STORE_BROKEN"
        assert trouble(disk / ".telha", "neo4j") == "its disk is full"
        ballast.unlink()
        yield world, stored


@pytest.mark.proof
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "stopped", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["running", "stopped"]
)
def test_neo4j_that_ran_out_of_disk_is_told_and_started_again(disk: Path, stopped: bool) -> None:
    home = disk / ".telha"
    with out_of_disk(disk) as (world, stored):
        if stopped:
            stack.down(home)
        start_local(home, workers=False)

        assert trouble(home, "neo4j") is None
        assert world.version("cap", "The cap is 3.").tx > stored
        assert world.version("cap", "The cap is 2.", tx=stored).outcome == "duplicate"


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_a_torn_transaction_log_is_told(home: Path) -> None:
    """What an orderly stop may leave after a full disk: half of a write, once more, behind it."""
    where = start_local(home, memory=SMALL, workers=False)
    with open_driver(where.neo4j_uri, where.neo4j_user, where.neo4j_password) as driver:
        World(Neo4jStore(driver)).version("cap", "The cap is 2.")
    [server] = [each.pid for each in stack.status(home) if each.name == "neo4j"]
    assert server
    os.kill(server, signal.SIGKILL)
    wait_for(lambda: stack.running(home) is None or None, 60, "Neo4j's end")
    tear(home / LTS.folder)
    for _ in range(2):
        with pytest.raises(Unavailable, match=r"transaction log.*is torn") as refused:
            start_local(home, workers=False)
        assert refused.value.code == "LOCAL_DATA_TORN"
    assert trouble(home, "neo4j") is None


def tear(folder: Path) -> None:
    """Write what is no entry behind the last entry of the transaction log."""
    [log] = sorted((folder / "data/transactions/neo4j").glob("neostore.transaction.db.*"))[-1:]
    held = log.read_bytes().rstrip(b"\0")
    with log.open("r+b") as file:
        file.seek(len(held))
        file.write(b"\xaa" * 200)


def write_until_refused(world: World) -> None:
    for n in range(2_000):
        world.version(f"s{n}", f"{n} is a number. " * 2_000)
