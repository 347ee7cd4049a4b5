"""Child processes that outlive us, told apart from strangers that got the same pid later."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

_POLL: Final = 0.05
_LOG_LIMIT: Final = 10 * 1024 * 1024
NO_SPACE: Final = "No space left on device"
HOME_MARK: Final = "TELHA_LOCAL_STACK"


@dataclass(frozen=True, slots=True)
class Identity:
    """A pid and when it was born: the pid alone is handed out again, the pair never."""

    pid: int
    born: str


def spawn(argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, log: Path) -> Identity:
    """Start ``argv`` in a session of its own, to outlive us; its output is appended to ``log``."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            list(argv),
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    pid = process.pid
    process.returncode = 0  # it is meant to outlive us: no warning when this handle goes
    return Identity(pid, _look(pid)[0])


def alive(identity: Identity) -> bool:
    """Whether that very process still runs. A zombie does not; one of ours is reaped here."""
    born, zombie = _look(identity.pid)
    if born != identity.born:
        return False
    if zombie:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(identity.pid, os.WNOHANG)
    return not zombie


def ask_to_stop(identity: Identity) -> None:
    """Send SIGTERM, unless that very process is gone."""
    if alive(identity):
        with contextlib.suppress(ProcessLookupError):
            os.kill(identity.pid, signal.SIGTERM)


def kill(identity: Identity) -> None:
    """Kill its group at once, unless that very process is gone."""
    if alive(identity):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(identity.pid, signal.SIGKILL)


def end(identity: Identity, grace: float) -> bool:
    """Wait up to ``grace`` seconds for it to go, then kill its group; whether it went by itself."""
    if gone_within(identity, grace):
        return True
    kill(identity)
    gone_within(identity, 10)
    return False


def gone_within(identity: Identity, seconds: float) -> bool:
    """Whether the process ends within ``seconds``."""
    deadline = time.monotonic() + seconds
    while alive(identity):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL)
    return True


def end_leftovers(leader: int, mark: str) -> int:
    """Kill what a dead ``leader`` left of its group, if it carries our ``mark``; how many."""
    ended = 0
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getpgid(process.pid) == leader and process.environ().get(HOME_MARK) == mark:
                process.kill()
                ended += 1
    return ended


def tidy_log(log: Path) -> int:
    """Move a log that grew past 10 MB aside; the size at which the next output starts."""
    if log.exists() and log.stat().st_size > _LOG_LIMIT:
        log.replace(log.with_suffix(".log.1"))
    return log.stat().st_size if log.exists() else 0


def tail(log: Path, start: int, lines: int = 15) -> str:
    """The last ``lines`` of ``log`` after the byte ``start``."""
    return "\n".join(_text_since(log, start).splitlines()[-lines:])


def logged_lately(log: Path, *words: str) -> bool:
    """Whether any of ``words`` is in the last 10 MB of ``log``."""
    size = log.stat().st_size if log.exists() else 0
    text = _text_since(log, max(0, size - _LOG_LIMIT))
    return any(each in text for each in words)


def logged(log: Path, start: int, words: str) -> bool:
    """Whether ``words`` were written to ``log`` after the byte ``start``."""
    return words in _text_since(log, start)


def _text_since(log: Path, start: int) -> str:
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(start)
        return file.read(_LOG_LIMIT).decode("utf-8", "replace")


def _look(pid: int) -> tuple[str, bool]:
    """When ``pid`` was born ("" if there is none) and whether it is a zombie."""
    try:
        return _look_linux(pid) if sys.platform == "linux" else _look_elsewhere(pid)
    except (OSError, psutil.NoSuchProcess):
        return "", False


def _look_linux(pid: int) -> tuple[str, bool]:
    # Ticks since boot, which no change of the wall clock moves; the command may hold spaces.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    state, *rest = fields.rpartition(")")[2].split()
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    # A killed leader is a zombie while its last threads still hold its sockets.
    return f"{boot}:{rest[18]}", state in {"Z", "X"} and int(rest[16]) <= 1


def _look_elsewhere(pid: int) -> tuple[str, bool]:
    process = psutil.Process(pid)
    return f"{process.create_time():.3f}", process.status() == psutil.STATUS_ZOMBIE
