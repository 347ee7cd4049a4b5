"""One stack a process: opened on first use, so never before the fork that made the process."""

import os
from contextlib import ExitStack

from app.config import Settings
from app.wiring import Stack, open_stack

_open: dict[int, tuple[ExitStack, Stack]] = {}


def stack() -> Stack:
    """Return this process's stack. One inherited from a parent is kept, so none closes it."""
    pid = os.getpid()
    if pid not in _open:
        held = ExitStack()
        _open[pid] = held, held.enter_context(open_stack(Settings()))
    return _open[pid][1]


def close() -> None:
    """Close this process's stack, if it opened one."""
    held = _open.pop(os.getpid(), None)
    if held is not None:
        held[0].close()
