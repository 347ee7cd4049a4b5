"""One hand at a time on a home, and the machine's refusals in words."""

import contextlib
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from typing import Final

from app.core.errors import Unavailable
from app.local.home import Home
from app.local.report import Report

_ROOM_NEEDED: Final = 200 * 1024 * 1024
_NOTHING_LEFT: Final = 1024 * 1024


@contextlib.contextmanager
def exclusive(home: Home, report: Report) -> Iterator[None]:
    """Hold the home's lock; waits for another command that holds it. It ends with its holder."""
    with explained(home):
        home.make()
        handle = os.open(home.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _wait_for(handle, report)
            yield
        finally:
            os.close(handle)


@contextlib.contextmanager
def explained(home: Home) -> Iterator[None]:
    """Turn a refusal of the file system into an ``Unavailable`` that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise disk_full(home) from error
        raise Unavailable("LOCAL_FAILED", f"{home.root}: {error}") from error


def require_room(home: Home) -> None:
    """Raise ``Unavailable`` ``LOCAL_DISK_FULL`` where the servers could not write for long."""
    if shutil.disk_usage(home.root).free < _ROOM_NEEDED:
        raise disk_full(home)


def is_full(home: Home) -> bool:
    """Whether the servers can write no more now."""
    return shutil.disk_usage(home.root).free < _NOTHING_LEFT


def disk_full(home: Home) -> Unavailable:
    """Return the refusal that says what to do."""
    needed = _ROOM_NEEDED // (1024 * 1024)
    return Unavailable(
        "LOCAL_DISK_FULL",
        f"the disk that holds {home.root} is full",
        hint=f"Free at least {needed} MB, or put the stack elsewhere with TELHA_HOME.",
    )


def _wait_for(handle: int, report: Report) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        report.say("Another command is busy with this stack; waiting for it")
        fcntl.flock(handle, fcntl.LOCK_EX)
