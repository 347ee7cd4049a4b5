"""How values look to people: times, tables, states. Text of others is shown, never obeyed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from app.core.instants import rfc3339
from app.core.states import ClaimState, Severity, Status

NONE: Final = "-"
STATE_STYLES: Final = {
    ClaimState.OK: "green",
    ClaimState.AFFECTED: "yellow",
    ClaimState.PENDING: "cyan",
    ClaimState.CONFLICTED: "magenta",
    ClaimState.INVALIDATED: "bold red",
}
STATUS_STYLES: Final = {
    Status.CURRENT: "green",
    Status.PARTIALLY_STALE: "yellow",
    Status.STALE: "bold yellow",
    Status.PENDING: "cyan",
    Status.CONFLICTED: "magenta",
    Status.INVALIDATED: "bold red",
    Status.SUPERSEDED: "dim",
}
_GAP: Final = 2
_FOLDED: Final = 36
_UNSAFE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

Cell = str | int | None | Text


def plain(text: str) -> str:
    """Return ``text`` with control and direction characters escaped: no terminal obeys them."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text.replace("\r\n", "\n"))


def cell(value: Cell) -> Text:
    """Return a value as literal text; brackets are no markup, and nothing is ``-``."""
    if isinstance(value, Text):
        return value
    return Text(NONE if value is None else plain(str(value)))


def when(at: int | None) -> str:
    """Return an instant (µs) as RFC 3339 in UTC."""
    return NONE if at is None else rfc3339(at)


def window(start: int, end: int | None) -> str:
    """Return a window of valid time; an open end is said in words."""
    return f"{when(start)} until {'further notice' if end is None else when(end)}"


def yes(value: bool) -> str:
    """Return a truth in words."""
    return "yes" if value else "no"


def status_word(status: Status, severity: Severity | None, *, sure: bool) -> Text:
    """Return a status as a coloured word; green only where ``sure``: checked, and all of it."""
    style = STATUS_STYLES[status] if sure or status is not Status.CURRENT else "default"
    return Text(status.value, style).append(f" ({severity.value})" if severity else "", "bold red")


def facts(rows: Iterable[tuple[str, Cell]]) -> Table:
    """Return names and values, one pair a line."""
    grid = Table.grid(padding=(0, _GAP))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(name, cell(value))
    return grid


def table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
    """Return a table; the first column names the row and is never cut."""
    drawn = Table(box=None, padding=(0, _GAP, 0, 0), header_style="bold")
    for nth, name in enumerate(columns):
        drawn.add_column(name, no_wrap=nth == 0, overflow="fold")
    for row in rows:
        drawn.add_row(*map(cell, row))
    return drawn


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows as a table where that is readable, else as a block for each."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __rich_console__(self, drawn: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the rows on a console as wide as it is."""
        if self._needed() <= options.max_width:
            yield table(self.columns, self.rows)
            return
        for nth, row in enumerate(self.rows):
            yield from [Text()] if nth else []
            yield facts(zip(self.columns, row, strict=True))

    def _needed(self) -> int:
        """Return the width of a table in which no more than long texts are folded."""
        lines = [[cell(value).cell_len for value in row] for row in (self.columns, *self.rows)]
        return sum(min(max(widths), _FOLDED) + _GAP for widths in zip(*lines, strict=True))
