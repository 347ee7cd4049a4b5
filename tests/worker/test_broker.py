"""A broker that is down, restarts, or hands out again: delay, never a lost or a doubled change."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.local import stack
from tests.worker.processes import Running, wait_for, within
from tests.worker.rig import CHECKED, Rig


@dataclass
class Broker:
    """A Valkey that a test may stop."""

    home: Path

    def up(self) -> str:
        return stack.up(self.home, services=("valkey",)).broker_url

    def stop(self) -> None:
        stack.stop(self.home, "valkey")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    made = Broker(tmp_path / "broker")
    made.up()
    yield made
    stack.down(made.home)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("outages", [2, pytest.param(40, marks=pytest.mark.soak)])
def test_a_broker_stopped_and_started_loses_no_change_and_deafens_no_worker(
    own_rig: Rig, broker: Broker, outages: int
) -> None:
    rig = own_rig
    rig.fleet.env["TELHA_BROKER_URL"] = broker.up()
    sources = [f"s{n}" for n in range(25 * outages)]
    answers = rig.rest_on(sources)
    worker = rig.fleet.worker(wait=False)
    rig.fleet.beat()
    pids = worker.pid, worker.children
    for source in sources[:25]:
        rig.contradict(source)

    during = sources[25:]
    share = -(-len(during) // outages)
    for outage in range(outages):
        broker.stop()
        down = time.monotonic()
        took = [_seconds(rig, s) for s in during[outage * share : (outage + 1) * share]]
        assert sorted(took)[len(took) // 2] < within(0.5)
        assert max(took) < within(3)
        time.sleep(max(0.0, 3 - (time.monotonic() - down)))
        broker.up()
        _wait_until_connected(worker, outage + 2)

    rig.settle(60)
    for answer in answers:
        rig.has_moved_once(answer)
    assert worker.process.poll() is None
    assert (worker.pid, worker.children) == pids
    wait_for(lambda: rig.broker.llen("telha.relay") == 0 or None, 20, "an empty queue")


def _wait_until_connected(worker: Running, times: int) -> None:
    """A worker is back within seconds, however long the outage was."""
    told = "Connected to redis"
    wait_for(lambda: worker.text.count(told) >= times or None, 10, f"{times} connections")


def _seconds(rig: Rig, source: str) -> float:
    since = time.monotonic()
    rig.contradict(source)
    return time.monotonic() - since


@pytest.mark.slow
def test_redelivery_while_a_check_runs_is_one_transition(own_rig: Rig) -> None:
    rig = own_rig
    rig.fleet.env |= {"FENCE_VISIBILITY": "5", "TELHA_WATCH__DEBOUNCE_SECONDS": "12"}
    answer = rig.rests_on("cap")
    for _ in range(2):
        rig.fleet.worker(wait=False)
    rig.fleet.beat()
    rig.slow_checks(12)
    rig.contradict("cap")
    rig.next_checker()
    redelivered = "MainProcess] Task telha.dispatch_changes["  # it began the check itself

    rig.settle(90)
    rig.has_moved_once(answer)
    outcomes = [row["outcome"] for row in rig.graph.rows(CHECKED, rig.tenant)]
    assert [each for each in outcomes if "->" in each] == ["current -> stale"]
    taken = [
        line.split("[")[2].split("]")[0]
        for each in rig.fleet.started
        for line in each.text.splitlines()
        if redelivered in line and line.endswith("received")
    ]
    assert len(taken) > len(set(taken))  # it was handed out again, or this test shows nothing


def test_a_retry_that_no_broker_takes_gives_the_message_back(own_rig: Rig, broker: Broker) -> None:
    """The store is away, so the child must retry; then the broker is away as well."""
    rig = own_rig
    good = rig.fleet.env["NEO4J_URI"]
    rig.fleet.env |= {"TELHA_BROKER_URL": broker.up(), "FENCE_VISIBILITY": "5"}
    rig.fleet.env["NEO4J_URI"] = "bolt://127.0.0.1:1"
    worker = rig.fleet.worker()
    rig.send("telha.ingest_version", tenant=rig.tenant, sourceId="s", text="x")
    wait_for(lambda: worker.text.count("task_waits") > 4 or None, 60, "more than three retries")
    broker.stop()
    time.sleep(3)
    broker.up()
    worker.stop()

    rig.fleet.env["NEO4J_URI"] = good
    rig.fleet.worker()
    wait_for(lambda: rig.graph.count(rig.tenant, "SourceVersion") or None, 40, "the version")
    assert rig.graph.count(rig.tenant, "SourceVersion") == 1
    assert rig.parked() == []
