"""A stack's life: one of it, on its own ports, ended whole, and nobody else's process touched.

Valkey alone stands for the servers: it starts in a moment and is run by the same code as Neo4j.
"""

import dataclasses
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import Final

import pytest
import redis

from app.core.errors import Invalid, Unavailable
from app.local import process, runner, stack, state
from app.local.guard import explained
from app.local.home import default_home, home_at
from app.local.ports import LOOPBACK, is_free
from app.local.process import Identity
from app.local.service import Launch, ServiceName
from app.local.state import Memory, Started
from app.local.valkey_server import ValkeyServer

VALKEY: Final[tuple[ServiceName, ...]] = ("valkey",)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "a" / ".telha"
    yield place
    stack.down(place)


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process that no stack started."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
    yield other
    other.kill()
    other.wait()


def up(home: Path) -> stack.Endpoints:
    return stack.up(home, services=VALKEY)


def pid_of_valkey(home: Path) -> int | None:
    return next(one.pid for one in stack.status(home) if one.name == "valkey")


def answers(endpoints: stack.Endpoints) -> bool:
    with redis.Redis.from_url(endpoints.broker_url) as client:
        return bool(client.ping())


def pretend_started(home: Path, pid: int, born: str) -> None:
    place = home_at(home)
    started = Started(pid, born, fingerprint="", log_start=0)
    state.save(place, state.load(place).with_started("valkey", started))


def test_up_twice_is_one_stack(home: Path) -> None:
    first = up(home)
    pid = pid_of_valkey(home)
    assert up(home) == first
    assert pid_of_valkey(home) == pid
    assert answers(first)


def test_two_ups_at_once_are_one_stack(home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(up, [home] * 4))
    assert len(set(results)) == 1
    assert answers(results[0])


def test_data_port_and_password_outlive_a_stop(home: Path) -> None:
    before = up(home)
    with redis.Redis.from_url(before.broker_url) as client:
        client.set("kept", "yes")
    assert stack.down(home) == ["valkey"]
    assert up(home) == before
    with redis.Redis.from_url(before.broker_url) as client:
        assert client.get("kept") == b"yes"


def test_a_stack_whose_process_was_killed_starts_again(home: Path) -> None:
    endpoints = up(home)
    pid = pid_of_valkey(home)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert process.gone_within(state.load(home_at(home)).started["valkey"].identity, 5)
    assert pid_of_valkey(home) is None
    assert up(home) == endpoints
    assert pid_of_valkey(home) not in {None, pid}


def test_one_that_ends_just_as_it_is_found_running_starts_again(home: Path) -> None:
    first = up(home)
    pid = pid_of_valkey(home)
    assert pid
    os.kill(pid, signal.SIGSTOP)  # it runs, and answers nobody
    killing = Timer(0.5, os.kill, (pid, signal.SIGKILL))
    killing.start()
    assert up(home) == first
    killing.join()
    assert pid_of_valkey(home) not in (None, pid)
    assert answers(first)


def test_a_recycled_pid_is_not_taken_for_ours(
    home: Path, stranger: subprocess.Popen[bytes]
) -> None:
    up(home)
    stack.down(home)
    pretend_started(home, stranger.pid, born="another boot:1")

    assert pid_of_valkey(home) is None
    assert stack.down(home) == []
    assert stranger.poll() is None
    assert answers(up(home))
    assert pid_of_valkey(home) != stranger.pid


def test_a_state_file_that_cannot_be_read_gives_no_trouble(home: Path) -> None:
    up(home)
    stack.down(home)
    home_at(home).state.write_text("{", encoding="utf-8")
    assert answers(up(home))


def test_a_port_taken_meanwhile_is_left_to_its_taker(home: Path) -> None:
    before = up(home)
    stack.down(home)
    port = state.load(home_at(home)).ports["valkey"]
    with socket.create_server((LOOPBACK, port)):
        after = up(home)
        assert after.broker_url != before.broker_url
        assert answers(after)
    assert up(home) == after


def test_two_homes_live_side_by_side(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "b" / ".telha"
    try:
        mine, theirs = up(home), up(other)
        assert mine.broker_url != theirs.broker_url
        assert mine.neo4j_uri != theirs.neo4j_uri
        stack.down(home)
        assert answers(theirs)
    finally:
        stack.down(other)


def test_down_ends_all_that_up_started(home: Path) -> None:
    up(home)
    identity = state.load(home_at(home)).started["valkey"].identity
    stack.down(home)
    assert not process.alive(identity)
    assert is_free(state.load(home_at(home)).ports["valkey"])
    assert stack.down(home) == []


def test_down_where_nothing_ever_was_leaves_no_trace(home: Path) -> None:
    assert stack.down(home) == []
    assert stack.running(home) is None
    assert not home.exists()


def test_restart_gives_a_new_process_on_the_same_port(home: Path) -> None:
    before = up(home)
    pid = pid_of_valkey(home)
    assert stack.restart(home, "valkey") == before
    assert pid_of_valkey(home) not in {None, pid}


def test_a_changed_configuration_restarts(home: Path) -> None:
    up(home)
    pid = pid_of_valkey(home)
    place = home_at(home)
    remembered = state.load(place)
    aged = dataclasses.replace(remembered.started["valkey"], fingerprint="older")
    state.save(place, remembered.with_started("valkey", aged))
    up(home)
    assert pid_of_valkey(home) not in {None, pid}


def test_a_server_that_fails_tells_the_end_of_its_log(home: Path) -> None:
    up(home)
    stack.down(home)
    for file in (home_at(home).valkey / "appendonlydir").glob("*.manifest"):
        file.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(Unavailable, match=r"(?s)ended while starting.*manifest") as refused:
        up(home)
    assert refused.value.code == "LOCAL_START_FAILED"
    assert pid_of_valkey(home) is None


def test_one_that_ignores_the_request_to_stop_is_killed(tmp_path: Path) -> None:
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True)"
    log = tmp_path / "log"
    identity = process.spawn(
        (sys.executable, "-c", f"{deaf}; time.sleep(60)"), env=os.environ, cwd=tmp_path, log=log
    )
    deadline = time.monotonic() + 30
    while not process.logged(log, 0, "deaf"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.ask_to_stop(identity)
    assert not process.end(identity, grace=0.3)
    assert not process.alive(identity)


def test_the_same_pid_born_another_time_is_another_process() -> None:
    assert not process.alive(Identity(os.getpid(), "another boot:1"))


def test_passwords_are_the_owners_alone(home: Path) -> None:
    endpoints = up(home)
    place = home_at(home)
    for private in (place.secrets, place.valkey / "valkey.conf"):
        assert private.stat().st_mode & 0o077 == 0
    assert place.root.stat().st_mode & 0o077 == 0
    assert endpoints.neo4j_password not in repr(endpoints)
    wrong = endpoints.broker_url.replace("redis://:", "redis://:not-")
    with (
        redis.Redis.from_url(wrong) as client,
        pytest.raises(redis.AuthenticationError),
    ):
        client.ping()


def test_a_full_disk_is_told_as_one(home: Path) -> None:
    with pytest.raises(Unavailable) as refused, explained(home_at(home)):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert refused.value.code == "LOCAL_DISK_FULL"


def test_a_server_that_ends_for_want_of_room_is_told_as_a_full_disk(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = Launch(("/bin/sh", "-c", f"echo 'write: {process.NO_SPACE}'; exit 1"), home)
    monkeypatch.setattr(ValkeyServer, "prepare", lambda *_: dying)

    with pytest.raises(Unavailable) as refused:
        up(home)
    assert refused.value.code == "LOCAL_DISK_FULL"


def test_a_port_taken_at_the_last_moment_is_told_as_such(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    up(home)
    stack.down(home)
    port = state.load(home_at(home)).ports["valkey"]
    with socket.create_server((LOOPBACK, port)), monkeypatch.context() as patch:
        patch.setattr(runner, "is_free", lambda _: True)
        with pytest.raises(Unavailable, match=f"took port {port}") as refused:
            up(home)
        assert refused.value.code == "LOCAL_PORT_TAKEN"
    assert answers(up(home))


@pytest.mark.parametrize("size", ["", "1", "1x", "-1g", "1g -Dx=y", "0m"])
def test_a_size_that_java_would_not_read_is_refused(size: str) -> None:
    with pytest.raises(Invalid) as refused:
        Memory(heap_max=size)
    assert refused.value.field == "heap_max"


def test_memory_is_remembered(home: Path) -> None:
    wanted = Memory(heap_max="2g")
    stack.up(home, services=VALKEY, memory=wanted)
    up(home)
    assert stack.memory(home) == wanted


def test_the_home_is_beside_the_nearest_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    inside = tmp_path / "docs" / "deep"
    inside.mkdir(parents=True)
    assert default_home({}, inside) == tmp_path / ".telha"
    assert default_home({"TELHA_HOME": str(inside)}, tmp_path) == inside


def test_every_service_has_a_title() -> None:
    assert set(runner.TITLES) == set(stack.ALL_SERVICES)
