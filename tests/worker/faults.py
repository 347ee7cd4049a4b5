"""A stack under faults, and a supervisor that does what any does: start again what has died."""

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from app.core.errors import TelhaError
from app.core.instants import DAY, HOUR, SECOND
from app.flow.clock import RealClock, SettableClock
from app.local import stack
from app.local.service import SERVERS, ServiceName
from tests.worker.processes import Running, wait_for
from tests.worker.rig import Rig
from tests.worker.stream import Stream, insist
from tests.worker.wire import Wire

PAUSE: Final = 8.0
"""Seconds for which a child is stopped: longer than its lease."""


@dataclass
class Supervisor:
    """Keeps servers, a worker and beat alive, as ``restart: always`` would."""

    home: Path
    rig: Rig
    worker: Running
    beat: Running
    restarts: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join(200)

    def server(self, name: ServiceName) -> int:
        """Wait until it runs; return its pid."""
        look = lambda: next(s.pid for s in stack.status(self.home) if s.name == name)  # noqa: E731
        return wait_for(look, 60, f"a running {name}")

    def _run(self) -> None:
        while not self._stop.wait(0.3):
            if self.worker.process.poll() is not None:
                self.worker = self.rig.fleet.worker(wait=False)
                self.restarts += 1
            if self.beat.process.poll() is not None:
                self.beat = self.rig.fleet.beat(wait=False)
                self.restarts += 1
            if stack.running(self.home) is None:
                with contextlib.suppress(TelhaError):
                    stack.up(self.home, services=SERVERS)
                    self.restarts += 1


@dataclass
class Faults:
    """The kinds of faults, each a method that strikes once."""

    rig: Rig
    stream: Stream
    supervisor: Supervisor
    wire: Wire
    chance: random.Random

    def kinds(self) -> dict[str, Callable[[], None]]:
        return {
            "child killed": self.kill_child,
            "worker killed": self.kill_worker,
            "beat killed": self.kill_beat,
            "writing client killed": self.kill_client,
            "Neo4j killed": lambda: self._kill_server("neo4j"),
            "Valkey killed": lambda: self._kill_server("valkey"),
            "child paused past its lease": self.pause_child,
            "wake-up dropped": self.drop_wake_up,
            "reply cut after commit": self.cut_reply,
            "clock jumped": self.jump,
        }

    def kill_child(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._checking_child(), signal.SIGKILL)

    def kill_worker(self) -> None:
        """The main process alone: its children have to see for themselves."""
        self._checking_child()
        self.supervisor.worker.process.kill()

    def kill_beat(self) -> None:
        self.supervisor.beat.process.kill()

    def kill_client(self) -> None:
        self.stream.kill_client = True
        wait_for(lambda: not self.stream.kill_client or None, 60, "a client to kill")

    def pause_child(self) -> None:
        child = self._checking_child()
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGSTOP)
            time.sleep(PAUSE)
            os.kill(child, signal.SIGCONT)

    def drop_wake_up(self) -> None:
        """One that was never sent, and with it all that waited in the broker."""
        self.stream.drop_wake_up = True
        wait_for(lambda: not self.stream.drop_wake_up or None, 60, "a wake-up to drop")
        with contextlib.suppress(OSError), self.rig.broker as broker:
            broker.delete("telha.relay")

    def cut_reply(self) -> None:
        before = self.wire.cuts
        self.wire.cut_next_commit()
        wait_for(lambda: self.wire.cuts > before or None, 60, "a commit whose reply is cut")

    def jump(self) -> None:
        """Forward by seconds or days; or a little back, as a corrected machine's clock."""
        clock = SettableClock(self.rig.world.store, RealClock())
        step = self.chance.choice([10 * SECOND, HOUR, DAY, 8 * DAY, -3 * SECOND])
        insist(lambda: clock.set(clock.now() + step))

    def _kill_server(self, name: ServiceName) -> None:
        os.kill(self.supervisor.server(name), signal.SIGKILL)

    def _checking_child(self) -> int:
        """Wait a little for a child that is in the middle of a check; else take any."""
        since, until = time.time_ns(), time.monotonic() + 3
        folder = self.rig.fleet.folder / "slow"
        while time.monotonic() < until:
            for file in folder.glob(f"{self.rig.tenant}.*"):
                if int(file.suffix[1:]) < since:
                    file.unlink()
                elif (pid := file.read_text()) and psutil.pid_exists(int(pid)):
                    return int(pid)
            time.sleep(0.02)
        return self.chance.choice(self._children())

    def _children(self) -> list[int]:
        def look() -> list[int] | None:
            with contextlib.suppress(psutil.Error):
                return self.supervisor.worker.children or None
            return None

        return wait_for(look, 60, "a worker's children")
