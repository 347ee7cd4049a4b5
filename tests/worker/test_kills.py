"""Children, workers and beat killed or paused in mid-work: no hand-work, each change told once."""

import os
import re
import signal
import time
from collections import Counter

import psutil
import pytest

from app.core.states import Status
from app.flow.jobs import JobState
from tests.worker.processes import wait_for, within
from tests.worker.rig import CHECKED, Rig

MOST_LOST = 10.0
"""Seconds that a killed process may cost, under the shipped settings."""


def test_a_child_killed_in_mid_check_costs_seconds_and_doubles_nothing(rig: Rig) -> None:
    answer = rig.rests_on("cap")
    rig.slow_checks(3)
    rig.contradict("cap")

    os.kill(rig.next_checker(), signal.SIGKILL)
    killed = time.monotonic()
    rig.next_checker(after=1)
    lost = time.monotonic() - killed

    rig.settle(30)
    rig.has_moved_once(answer)
    assert lost < within(MOST_LOST)


def test_an_owner_paused_past_its_lease_commits_nothing_when_it_wakes(rig: Rig) -> None:
    answer = rig.rests_on("cap")
    rig.slow_checks(2)
    rig.contradict("cap")

    paused = rig.next_checker()
    os.kill(paused, signal.SIGSTOP)
    try:
        rig.next_checker(after=1)
        rig.settle(30)
    finally:
        os.kill(paused, signal.SIGCONT)
    wait_for(lambda: "lease_lost" in rig.fleet.started[0].text or None, 20, "a lost lease")

    rig.settle(30)
    rig.has_moved_once(answer)


def test_a_whole_worker_and_beat_killed_cost_seconds_when_others_live(own_rig: Rig) -> None:
    rig = own_rig
    answers = rig.rest_on(f"s{n}" for n in range(4))
    workers = [rig.fleet.worker(wait=False) for _ in range(2)]
    beats = [rig.fleet.beat(wait=False) for _ in range(2)]
    rig.fleet.wait_until_ready()
    rig.slow_checks(2)
    for n in range(4):
        rig.contradict(f"s{n}")

    parent = psutil.Process(rig.next_checker()).ppid()
    [victim] = [worker for worker in workers if worker.pid == parent]
    victim.kill()
    beats[0].kill()
    killed = time.monotonic()
    last = f"s{len(answers)}"
    answers.append(rig.rests_on(last))
    rig.contradict(last)

    rig.settle(60)
    took = time.monotonic() - killed
    for answer in answers:
        rig.has_moved_once(answer)
    rest = 2 * 2 + 5  # two checks of two seconds; a window, its tick, its event
    assert took < within(MOST_LOST + rest)


@pytest.mark.slow
def test_a_check_longer_than_the_visibility_timeout_is_handed_out_again_and_told_once(
    own_rig: Rig,
) -> None:
    rig = own_rig
    rig.fleet.env |= {"FENCE_VISIBILITY": "5", "TELHA_WATCH__DEBOUNCE_SECONDS": "12"}
    answer = rig.rests_on("cap")
    rig.slow_checks(12)
    workers = [rig.fleet.worker(wait=False) for _ in range(2)]
    rig.fleet.beat(wait=False)
    rig.fleet.wait_until_ready()
    rig.contradict("cap")

    rig.settle(60)
    rig.has_moved_once(answer)
    checks = [row for row in rig.graph.rows(CHECKED, rig.tenant) if row["answer"] == answer]
    assert [row["outcome"] for row in checks if "->" in row["outcome"]] == ["current -> stale"]
    received = Counter(re.findall(r"\[(\S+)\] received", "".join(each.text for each in workers)))
    assert max(received.values()) > 1, "no message was handed out again"


def test_without_any_process_nothing_is_lost_and_a_new_one_finds_it(own_rig: Rig) -> None:
    rig = own_rig
    answer = rig.rests_on("cap")
    worker = rig.fleet.worker()
    rig.slow_checks(3)
    rig.contradict("cap")
    rig.next_checker()
    worker.kill()
    rig.contradict("cap")
    rig.broker.flushdb()

    rig.fleet.worker(wait=False)
    rig.fleet.beat()
    rig.settle(40)
    rig.has_moved_once(answer)


def test_a_job_that_kills_its_worker_each_time_is_parked_and_stops_no_other(own_rig: Rig) -> None:
    rig = own_rig
    rig.fleet.env |= {"TELHA_WORKER__MAX_ATTEMPTS": "2", "TELHA_WORKER__LEASE_SECONDS": "2"}
    poisoned = rig.rests_on("cap")
    rig.fleet.worker(wait=False)
    rig.fleet.beat()
    rig.slow_checks(60)
    rig.contradict("cap")
    for died in range(2):
        os.kill(rig.next_checker(after=died), signal.SIGKILL)

    [parked] = wait_for(lambda: rig.parked() or None, 30, "the poisoned job")
    assert (parked.kind, parked.reason) == ("check:answer", "its worker died 2 times")
    assert len(rig.checkers()) == 2
    assert rig.world.status(poisoned) is Status.CURRENT
    healthy = rig.other()
    answer = healthy.rests_on("cap")
    healthy.contradict("cap")
    healthy.settle(20)
    healthy.has_moved_once(answer)
    assert parked.state == JobState.PARKED


def test_a_worker_asked_to_stop_stops_at_once_and_loses_nothing(own_rig: Rig) -> None:
    rig = own_rig
    answers = rig.rest_on(f"s{n}" for n in range(20))
    worker = rig.fleet.worker()
    rig.slow_checks(0.3)
    for n in range(20):
        rig.contradict(f"s{n}")
    rig.next_checker()

    assert worker.stop() < within(5)
    assert worker.process.returncode == 0
    assert not rig.progress().quiet
    rig.fleet.worker(wait=False)
    rig.fleet.beat()
    rig.settle(60)
    for answer in answers:
        rig.has_moved_once(answer)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("rounds", [3, pytest.param(50, marks=pytest.mark.soak)])
def test_children_killed_again_and_again_cost_seconds_each(own_rig: Rig, rounds: int) -> None:
    rig = own_rig
    answers = rig.rest_on(f"s{n}" for n in range(rounds))
    rig.fleet.worker(wait=False)
    rig.fleet.beat()
    rig.slow_checks(0.5)
    lost = []
    for n in range(rounds):
        before = len(rig.checkers())
        rig.contradict(f"s{n}")
        os.kill(rig.next_checker(after=before), signal.SIGKILL)
        killed = time.monotonic()
        rig.next_checker(after=before + 1)
        lost.append(time.monotonic() - killed)

    rig.settle(60)
    for answer in answers:
        rig.has_moved_once(answer)
    assert max(lost) < within(MOST_LOST), lost
