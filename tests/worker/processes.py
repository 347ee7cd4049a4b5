"""Real processes: Celery workers and beat in sessions of their own, killed and stopped at will."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import psutil

T = TypeVar("T")

ROOT: Final = Path(__file__).parents[2]
_CELERY: Final = (sys.executable, "-m", "celery", "-A", "tests.worker.fenced")


@dataclass
class Running:
    """A worker or beat, with its log."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def text(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def ready(self) -> bool:
        return " ready." in self.text or "Sending due task" in self.text

    @property
    def children(self) -> list[int]:
        return sorted(child.pid for child in psutil.Process(self.pid).children())

    def kill(self) -> None:
        """Kill it and its children at once, as a machine that loses power would."""
        os.killpg(self.pid, signal.SIGKILL)
        self.process.wait(10)

    def stop(self, grace: float = 30) -> float:
        """Ask it to stop; return the seconds that it took. One that does not is killed."""
        since = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self.kill()
        return time.monotonic() - since


@dataclass
class Fleet:
    """Processes with the same servers and settings, for tenants with a prefix."""

    folder: Path
    env: dict[str, str]
    prefix: str
    started: list[Running] = field(default_factory=list)

    def worker(self, *options: str, children: int = 2, wait: bool = True) -> Running:
        """Start a worker; return once it takes tasks."""
        name = f"w{len(self.started)}"
        began = self._start(
            name,
            (
                "worker",
                "--loglevel=INFO",
                f"--concurrency={children}",
                f"--hostname={name}@test",
                "--without-gossip",
                "--without-mingle",
                *options,
            ),
        )
        if wait:
            self.wait_until_ready()
        return began

    def beat(self, *, wait: bool = True) -> Running:
        """Start beat; return once it ticks."""
        name = f"b{len(self.started)}"
        schedule = str(self.folder / f"{name}.schedule")
        began = self._start(name, ("beat", "--loglevel=INFO", "--pidfile=", "-s", schedule))
        if wait:
            self.wait_until_ready()
        return began

    def wait_until_ready(self) -> None:
        """Wait until workers take tasks and beat ticks."""
        wait_for(lambda: all(p.ready for p in self.started) or None, 90, f"{self.folder} ready")

    def close(self) -> None:
        for each in self.started:
            if each.process.poll() is None:
                each.kill()

    def _start(self, name: str, argv: Sequence[str]) -> Running:
        log = self.folder / f"{name}.log"
        with log.open("ab") as output:
            process = subprocess.Popen(
                [*_CELERY, *argv],
                cwd=ROOT,
                env={**os.environ, **self.env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started.append(Running(process, log))
        return self.started[-1]


def within(seconds: float) -> float:
    """Return how long to wait for what takes so many seconds on a machine with nothing else to do.

    ``TELHA_TEST_PATIENCE`` says how much slower this one may be.
    """
    return seconds * float(os.environ.get("TELHA_TEST_PATIENCE", "1"))


def wait_for(look: Callable[[], T | None], seconds: float, what: str) -> T:
    """Return what ``look`` finds ``within`` so many seconds."""
    until = time.monotonic() + within(seconds)
    while (found := look()) is None:
        assert time.monotonic() < until, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)
    return found
