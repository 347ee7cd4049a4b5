"""Killed children and restarted brokers: afterwards, with no hand-work, each change told once."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.states import Status
from app.local import stack
from tests.worker.processes import wait_for
from tests.worker.rig import Rig


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Path]:
    """The home of a broker that a test may stop."""
    home = tmp_path / "broker"
    stack.up(home, services=("valkey",))
    yield home
    stack.down(home)


def test_a_child_killed_in_mid_check_costs_seconds_and_doubles_nothing(rig: Rig) -> None:
    rig.fleet.env = {**rig.fleet.env, "FENCE_CHECK_SECONDS": "4"}
    answer = rig.rests_on("cap")
    rig.fleet.worker()
    rig.fleet.beat()
    rig.contradict("cap")
    [victim] = wait_for(lambda: rig.marks() or None, 30, "a check that runs")

    os.kill(victim, signal.SIGKILL)
    killed = time.monotonic()
    wait_for(lambda: rig.marks()[1:] or None, 30, "another child that checks")
    offered_again = time.monotonic() - killed
    rig.settle(60)

    assert rig.world.status(answer) is Status.STALE
    rig.has_moved_once(answer)
    assert offered_again < 15


@pytest.mark.soak
def test_a_broker_stopped_and_started_twice_loses_no_stored_change(
    rig: Rig, own_broker: Path
) -> None:
    address = stack.up(own_broker, services=("valkey",)).broker_url
    rig.fleet.env = {**rig.fleet.env, "TELHA_BROKER_URL": address}
    rig = replace(rig, broker_url=address)
    sources = [f"s{n}" for n in range(16)]
    answers = [rig.rests_on(source) for source in sources]
    worker = rig.fleet.worker()
    children = worker.children
    rig.fleet.beat()
    for source in sources[:8]:
        rig.contradict(source)

    for part in (sources[8:12], sources[12:]):
        stack.stop(own_broker, "valkey")
        for source in part:
            since = time.monotonic()
            rig.contradict(source)
            assert time.monotonic() - since < 10
        stack.up(own_broker, services=("valkey",))
        time.sleep(3)

    rig.settle(60)
    for answer in answers:
        rig.has_moved_once(answer)
    assert worker.children == children


def test_a_paused_owner_commits_nothing_when_it_wakes_up(rig: Rig) -> None:
    rig.fleet.env = {**rig.fleet.env, "FENCE_CHECK_SECONDS": "3"}
    answer = rig.rests_on("cap")
    rig.fleet.worker()
    rig.fleet.beat()
    rig.contradict("cap")
    [paused] = wait_for(lambda: rig.marks() or None, 30, "a check that runs")

    os.kill(paused, signal.SIGSTOP)
    try:
        wait_for(lambda: rig.marks()[1:] or None, 30, "another child that checks")
        rig.settle(60)
    finally:
        os.kill(paused, signal.SIGCONT)
    time.sleep(4)

    rig.settle(30)
    rig.has_moved_once(answer)
