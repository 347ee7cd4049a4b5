"""One run of many faults over a steady stream of changes: none lost, none doubled, no hand-work.

``TELHA_FAULTS`` says how many in a soak run, ``TELHA_SEED`` which ones.
"""

import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from app.core.claims_json import loads
from app.flow.clock import RealClock, SettableClock
from app.graph.store import open_driver
from app.local import stack
from app.local.state import Memory
from app.ports import Store
from app.wiring import start_local
from app.worker import signs
from tests.builders import SetClock
from tests.worker.conftest import fleet_on, rigs
from tests.worker.faults import Faults, Supervisor
from tests.worker.processes import within
from tests.worker.rig import Rig
from tests.worker.stream import Stream, Written
from tests.worker.wire import Wire

SOAK: Final = int(os.environ.get("TELHA_FAULTS", "200"))
SEED: Final = int(os.environ.get("TELHA_SEED", "1"))
MOST_DELAY: Final = 10.0
"""Seconds from commit to stored status, at the 99th percentile, where one of ``BOUND`` struck."""
MOST_TO_DRAIN: Final = 30
"""Seconds after the last fault in which all is done."""
TOGETHER: Final = 0.15
"""How often a fault strikes before the last one is over."""
BOUND: Final = {"wake-up dropped", "child killed", "worker killed"}
SLOW: Final = {"Neo4j killed", "child paused past its lease"}
"""Kinds that take long, and so strike less often."""
_FIRES: Final = """
MATCH (a:SAVED_ANSWER {tenant: $tenant})
RETURN a.answer_id AS answer, COUNT { (a)<-[:FOR]-(:Watch)<-[:OF]-(:WatchFire) } AS fires
"""
_CHAIN: Final = """
MATCH (v:AnswerVersion {tenant: $tenant, answer_id: $answer})
RETURN v.status AS status, v.claims_json AS claims, v.caveats AS caveats ORDER BY v.seq
"""


@dataclass
class Struck:
    """A fault that struck, and whether no other was near."""

    kind: str
    at: float
    alone: bool


class StackClock(SetClock):
    """The settable clock of the stack, as workers and clients have it."""

    def __init__(self, store: Store) -> None:
        self._clock = SettableClock(store, RealClock())

    def now(self) -> int:
        return self._clock.now()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """An embedded Neo4j and Valkey of this test's own."""
    made = tmp_path / "home"
    start_local(made, memory=Memory("256m", "384m", "64m"), workers=False)
    yield made
    stack.down(made)


@pytest.fixture
def faults(home: Path, tmp_path: Path) -> Iterator[Faults]:
    """Answers and a stream of changes, workers on a wire that can be cut, and a supervisor."""
    where = stack.running(home)
    assert where
    login = where.neo4j_user, where.neo4j_password
    chance = random.Random(SEED)
    with (
        closing(Wire(where.neo4j_uri)) as wire,
        open_driver(where.neo4j_uri, *login) as driver,
        open_driver(wire.uri, *login) as wired,
        closing(fleet_on(tmp_path / "fleet", where, where.broker_url)) as fleet,
    ):
        fleet.env |= {"NEO4J_URI": wire.uri, "TELHA_SETTABLE_CLOCK": "true"}
        for rig in rigs(driver, fleet):
            rig.world.clock = StackClock(rig.world.store)
            stream = Stream(rig, wired, chance)
            stream.prepare()
            rig.slow_checks(0.1)
            supervisor = Supervisor(home, rig, fleet.worker(wait=False), fleet.beat(wait=False))
            fleet.wait_until_ready()
            supervisor.start()
            stream.start()
            try:
                yield Faults(rig, stream, supervisor, wire, chance)
            finally:
                stream.stop()
                supervisor.stop()


@pytest.mark.parametrize(
    "count",
    [pytest.param(20, marks=pytest.mark.proof), pytest.param(SOAK, marks=pytest.mark.soak)],
)
@pytest.mark.timeout(7200)
def test_after_many_faults_nothing_is_lost_or_doubled_and_all_is_done_within_seconds(
    faults: Faults, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    stream, rig = faults.stream, faults.rig
    time.sleep(within(10))
    stream.wait_until_covered(30)

    struck = strike(faults, count)
    stream.stop_writing()
    took = rig.settle(MOST_TO_DRAIN)

    stream.wait_until_covered(5)
    assert_as_read_from_scratch(rig, stream)
    delayed = delays(struck, stream.written)
    with capsys.disabled():
        sys.stdout.write(report(stream, struck, took, delayed))
    bound = [each for kind in BOUND for each in delayed[kind]]
    assert percentile(bound, 99) <= within(MOST_DELAY), delayed


def strike(faults: Faults, count: int) -> list[Struck]:
    """Strike so often, each kind at least once; now and then before the last one is over."""
    kinds = faults.kinds()
    weights = [1 if kind in SLOW else 3 for kind in kinds]
    drawn = [*kinds, *faults.chance.choices([*kinds], weights, k=count - len(kinds))]
    faults.chance.shuffle(drawn)
    struck: list[Struck] = []
    for kind in drawn:
        together = faults.chance.random() < TOGETHER
        if not together:
            faults.stream.wait_until_covered(60, more=1)
        elif struck:
            struck[-1].alone = False
        struck.append(Struck(kind, time.monotonic(), alone=not together))
        kinds[kind]()
        time.sleep(faults.chance.uniform(0.2, 1.0))
    return struck


def assert_as_read_from_scratch(rig: Rig, stream: Stream) -> None:
    """Every write is one change, every change one fire an answer, no version is appended twice."""
    assert stream.covered_seqs() == {
        name: first + stream.writes(name) for name, first in stream.first_seqs.items()
    }
    fires = {row["answer"]: row["fires"] for row in rig.graph.rows(_FIRES, rig.tenant)}
    for answer_id, names in stream.answers.items():
        assert rig.world.status(answer_id) is stream.expected(answer_id)
        assert fires[answer_id] == sum(stream.writes(name) for name in names)
        versions = [_stated(row) for row in rig.graph.rows(_CHAIN, rig.tenant, answer=answer_id)]
        assert all(one != other for one, other in pairwise(versions))
        events = rig.world.events(answer_id)
        assert [event.number for event in events] == [*range(1, len(events) + 1)]
        assert all(one.to_status == other.from_status for one, other in pairwise(events))
    told = [event.event_id for event in rig.world.events()]
    assert len(told) == len(set(told))
    assert rig.parked() == []
    for sign in (signs.WORKER, signs.BEAT):
        age = signs.age(rig.broker_url, sign)
        assert age is not None
        assert age < within(10)


def _stated(row: dict[str, Any]) -> tuple[object, ...]:
    claims = loads(row["claims"])
    return row["status"], row["caveats"], [(c.state, c.causes, c.caveats) for c in claims]


def delays(struck: list[Struck], written: list[Written]) -> dict[str, list[float]]:
    """How long the change that each lonely fault hit worst took, from commit to stored status.

    A change that the next fault hit as well counts for that one.
    """
    delayed = defaultdict[str, list[float]](list)
    ends = [each.at for each in struck[1:]] + [float("inf")]
    for fault, end in zip(struck, ends, strict=True):
        hit = [w.delay for w in written if fault.at < w.at + w.delay <= end]
        if fault.alone and hit:
            delayed[fault.kind].append(max(hit))
    return delayed


def percentile(values: list[float], percent: int) -> float:
    """The smallest of ``values`` that so many percent do not exceed."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def report(
    stream: Stream, struck: list[Struck], took: float, delayed: dict[str, list[float]]
) -> str:
    whole = [each.delay for each in stream.written]
    lines = [
        f"{len(struck)} faults (seed {SEED}), {len(whole)} changes, 0 lost, 0 doubled",
        f"drained in {took:.1f} s; half of all changes in {percentile(whole, 50):.2f} s",
        "kind | struck | alone | p50 s | p99 s | max s",
    ]
    for kind, values in sorted(delayed.items()):
        shown = [percentile(values, 50), percentile(values, 99), max(values)]
        times = sum(each.kind == kind for each in struck)
        figures = " | ".join(f"{value:.1f}" for value in shown)
        lines.append(f"{kind} | {times} | {len(values)} | {figures}")
    return "\n".join(["", *lines, ""])
