"""Work in a forked child, which has every module of its parent at hand."""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path


def forked(work: Callable[[], int], log: Path, limit: float) -> int:
    """Do ``work``, with what it prints in ``log``; return its exit code, negative for a signal.

    After ``limit`` seconds it is killed.
    """
    child = os.fork()
    if child == 0:
        _work(work, log)
    ends = time.monotonic() + limit
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > ends:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.05)


def _work(work: Callable[[], int], log: Path) -> None:
    code = 70
    with log.open("w", encoding="utf-8") as file:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), stream.fileno())
        try:
            code = work()
        except Exception:  # noqa: BLE001 — the log tells, the exit code shows
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
