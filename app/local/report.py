"""Telling the person who waits what is going on."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)


class Downloads(Protocol):
    """A running download of several files; called from several threads."""

    def received(self, size: int) -> None:
        """``size`` more bytes have arrived."""

    def finished(self) -> None:
        """One more file is complete."""


class Report(Protocol):
    """Where a start or stop tells what it does."""

    def say(self, message: str) -> None:
        """One line worth knowing."""

    def downloads(self, title: str, files: int) -> AbstractContextManager[Downloads]:
        """A download of ``files`` files begins."""


class Quiet:
    """Tells nothing."""

    def say(self, message: str) -> None:
        """Swallow the line."""

    @contextmanager
    def downloads(self, title: str, files: int) -> Iterator[Downloads]:  # noqa: ARG002 — the protocol's words
        """Count nothing."""
        yield _Uncounted()


class OnConsole:
    """Lines and a progress bar on a terminal; plain lines where there is none."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)

    def say(self, message: str) -> None:
        """Print the line."""
        self._console.print(message, style="dim", highlight=False)

    @contextmanager
    def downloads(self, title: str, files: int) -> Iterator[Downloads]:
        """Show files done, bytes received and time elapsed."""
        if not self._console.is_terminal:
            self.say(f"{title} ({files} files) …")
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[megabytes]:.0f} MB"),
            TimeElapsedColumn(),
        )
        with Progress(
            *columns, console=self._console, disable=not self._console.is_terminal
        ) as bar:
            yield _OnBar(bar, title, files)


class _Uncounted:
    def received(self, size: int) -> None:
        """Count nothing."""

    def finished(self) -> None:
        """Count nothing."""


class _OnBar:
    def __init__(self, bar: Progress, title: str, files: int) -> None:
        self._bar = bar
        self._bytes = 0
        self._lock = Lock()
        self._task = bar.add_task(title, total=files, megabytes=0.0)

    def received(self, size: int) -> None:
        with self._lock:
            self._bytes += size
            self._bar.update(self._task, megabytes=self._bytes / 1e6)

    def finished(self) -> None:
        self._bar.advance(self._task)
