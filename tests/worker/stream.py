"""A steady stream of changes over known answers, and when each was covered by a check.

Every source goes to and fro: a version that displaces what is cited, its withdrawal, and so on. So
what stands at the end follows from nothing but the number of writes to each source.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from neo4j import Driver
from neo4j.exceptions import DriverError, Neo4jError

from app.core.errors import Unavailable
from app.core.states import Status
from app.graph.store import Neo4jStore
from tests.builders import Cite, Said, World
from tests.worker.processes import ROOT, wait_for
from tests.worker.rig import Rig

T = TypeVar("T")

SOURCES: Final = 8
ANSWERS: Final = 12
_COVERED: Final = """
MATCH (a:SAVED_ANSWER {tenant: $tenant})<-[:FOR]-(:Watch)-[x:WATCHES]->(s:Source)
RETURN s.source_id AS source, min(a.checked_seqs[x.idx]) AS seq
"""


@dataclass
class Written:
    """A change: the seq that it raised, when its commit was known, when all its answers' checks."""

    source: str
    seq: int
    at: float
    covered: float | None = None

    @property
    def delay(self) -> float:
        assert self.covered is not None, f"not covered: {self}"
        return self.covered - self.at


@dataclass
class Stream:
    """Writes about two changes a second until it is closed; ``driver`` may lose replies."""

    rig: Rig
    driver: Driver
    chance: random.Random
    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    first_seqs: dict[str, int] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    drop_wake_up: bool = False
    kill_client: bool = False
    _newest: dict[str, int] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    @property
    def writer(self) -> World:
        return self.rig.world.on(Neo4jStore(self.driver))

    def prepare(self) -> None:
        """Save the answers, each on one or two sources, and check them right here."""
        world = self.rig.world
        cited = {name: world.version(name, _text(name, 2)).tx for name in _sources()}
        for n in range(ANSWERS):
            names = tuple(sorted({f"s{n % SOURCES}", f"s{(3 * n + 1) % SOURCES}"}))
            said = (Said(_text(name, 2), [Cite(name, cited[name], "is 2")]) for name in names)
            self.answers[world.saved(*said)] = names
        world.settle()
        self.first_seqs = self.covered_seqs()

    def start(self) -> None:
        for work in (self._write_on, self._watch_on):
            self._threads.append(threading.Thread(target=work, daemon=True))
            self._threads[-1].start()

    def stop_writing(self) -> None:
        """Let the write that is under way end, and begin no other."""
        self._stop.set()
        self._threads[0].join(180)
        assert not self._threads[0].is_alive(), "a write that never ends"

    def stop(self) -> None:
        self._stop.set()
        self._over.set()
        for thread in self._threads:
            thread.join(180)

    def wait_until_covered(self, seconds: float, *, more: int = 0) -> None:
        """Wait until all that is written now was checked, and what is written next as well."""
        written = len(self.written)
        what = f"{more} more writes"
        wait_for(lambda: len(self.written) >= written + more or None, seconds, what)
        waiting = [each for each in self.written if each.covered is None]
        wait_for(lambda: all(w.covered for w in waiting) or None, seconds, f"checks of {waiting}")

    def writes(self, source: str) -> int:
        return sum(each.source == source for each in self.written)

    def expected(self, answer_id: str) -> Status:
        """The status that follows from the number of writes: an odd one displaced the citation."""
        displaced = [self.writes(name) % 2 == 1 for name in self.answers[answer_id]]
        if all(displaced):
            return Status.STALE
        return Status.PARTIALLY_STALE if any(displaced) else Status.CURRENT

    def _write_on(self) -> None:
        names = _sources()
        while not self._stop.wait(self.chance.uniform(0.2, 0.8)):
            self._write(self.chance.choice(names))

    def _write(self, source: str) -> None:
        """Write what comes next for ``source`` until that is known to be stored; wake workers."""
        number = self.writes(source)
        body: dict[str, Any] = {"requestId": f"{source}/{number}"}
        if number % 2:
            body["tx"] = self._newest[source]
        else:
            body["text"] = _text(source, 3 + number)
        if self.kill_client:
            self.kill_client = False
            self._start_and_kill({"tenant": self.rig.tenant, "sourceId": source, **body})
        insist(lambda: self._attempt(source, body))
        seq = self.first_seqs[source] + number + 1
        self.written.append(Written(source, seq, time.monotonic()))
        if self.drop_wake_up:
            self.drop_wake_up = False
        else:
            self.rig.wake()

    def _attempt(self, source: str, body: dict[str, Any]) -> None:
        if "text" in body:
            self._newest[source] = self.writer.version(source, **body).tx
        else:
            self.writer.withdraw(source, **body)

    def _start_and_kill(self, body: Mapping[str, object]) -> None:
        """Kill a client some milliseconds after it began to write."""
        client = subprocess.Popen(
            [sys.executable, "-m", "tests.worker.client", json.dumps(body)],
            cwd=ROOT,
            env={**os.environ, **self.rig.fleet.env},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert client.stdout
        with client.stdout as told:
            told.readline()
            time.sleep(self.chance.uniform(0, 0.08))
            client.kill()
        client.wait(10)

    def _watch_on(self) -> None:
        while not self._over.wait(0.05):
            try:
                covered = self.covered_seqs()
            except (DriverError, Neo4jError, OSError):
                covered = {}
            now = time.monotonic()
            for each in self.written[-200:]:
                if each.covered is None and covered.get(each.source, -1) >= each.seq:
                    each.covered = now

    def covered_seqs(self) -> dict[str, int]:
        with self.rig.graph.driver.session() as session:
            rows = session.run(_COVERED, tenant=self.rig.tenant)
            return {str(row["source"]): int(row["seq"]) for row in rows}


def insist(do: Callable[[], T]) -> T:
    """Repeat a call under its request id until the store answers, as any client would."""
    until = time.monotonic() + 120
    while True:
        try:
            return do()
        except Unavailable:
            assert time.monotonic() < until
            time.sleep(0.2)


def _sources() -> list[str]:
    return [f"s{n}" for n in range(SOURCES)]


def _text(source: str, cap: int) -> str:
    return f"The cap of {source} is {cap}."
