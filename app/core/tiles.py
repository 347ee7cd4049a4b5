"""The tile cut: what a source's stored tiles become when winners change (DESIGN §3, "WINS").

A tile says who wins over a window and since when that is recorded. A cut never rewrites history:
a winner that stays keeps its tile and its ``since``, what stops winning is kept as ``Won``. So
"who won at T as known at X" has at most one answer: the tile over T with ``since <= X``, or the
``Won`` over T with ``tx_from <= X < tx_to``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from app.core.instants import FOREVER
from app.core.winner import Run, Span, Window


@dataclass(frozen=True, slots=True)
class Tile:
    """Version ``winner`` (a tx) wins over ``[valid_from, valid_to)``, recorded at ``since`` (µs).

    Stored as ``WINS``; ``valid_from`` is its key within the source, ``since`` its ``tx_from``.
    """

    valid_from: int
    valid_to: int
    winner: int
    since: int


@dataclass(frozen=True, slots=True)
class Won:
    """What used to win: as recorded from ``tx_from`` (the tile's ``since``) until ``tx_to``, µs."""

    valid_from: int
    valid_to: int
    winner: int
    tx_from: int
    tx_to: int


class Trim(NamedTuple):
    """The tile stored at ``valid_from`` ends at ``valid_to`` from now on; nothing else changes."""

    valid_from: int
    valid_to: int


@dataclass(frozen=True, slots=True)
class Recut:
    """What to write, from left to right: tiles trimmed, dropped by valid_from, created; and WON.

    Drops come before wins in the store, since a dropped tile's valid_from may be used again.
    """

    trims: tuple[Trim, ...] = ()
    drops: tuple[int, ...] = ()
    wins: tuple[Tile, ...] = ()
    won: tuple[Won, ...] = ()


def recut(span: Span, old: Sequence[Tile], new: Sequence[Run], now: int) -> Recut:
    """Return the writes that turn the stored tiles ``old`` into the winners ``new`` over ``span``.

    ``old``: the stored tiles that overlap the span, sorted, in full even where they stick out; the
    parts outside stay as they are. ``new``: the runs of ``tile(span, …)``. ``now``: ``recorded_at``
    of the statement, µs. Neighbours are glued only where winner and ``since`` are both equal, else
    as-of reads would have holes. What began to win at ``now`` itself leaves no ``Won``: no as-of
    read could see it. One linear sweep. Raises ``ValueError`` where an old tile is newer than now.
    """
    if any(tile.since > now for tile in old):
        raise ValueError(f"a tile was recorded after {now}")
    wanted = [_clipped(tile, 0, span.lo) for tile in old if tile.valid_from < span.lo]
    lost: list[Tile] = []
    for lo, hi, tile, run in _pieces(span, old, new):
        if tile is not None and run is not None and tile.winner == run.winner:
            wanted.append(_clipped(tile, lo, hi))
            continue
        if run is not None:
            wanted.append(Tile(lo, hi, run.winner, now))
        if tile is not None and tile.since < now:
            lost.append(_clipped(tile, lo, hi))
    wanted += [_clipped(tile, span.hi, FOREVER) for tile in old if tile.valid_to > span.hi]
    return _writes(old, _glued(wanted), _glued(lost), now)


def _writes(old: Sequence[Tile], wanted: list[Tile], lost: list[Tile], now: int) -> Recut:
    """Compare tiles by valid_from: the same winner is kept or trimmed, its ``since`` stays."""
    stored = {tile.valid_from: tile for tile in old}
    kept: set[int] = set()
    trims: list[Trim] = []
    wins: list[Tile] = []
    for tile in wanted:
        was = stored.get(tile.valid_from)
        if was is None or was.winner != tile.winner:
            wins.append(tile)
            continue
        kept.add(tile.valid_from)
        if was.valid_to != tile.valid_to:
            trims.append(Trim(tile.valid_from, tile.valid_to))
    return Recut(
        trims=tuple(trims),
        drops=tuple(start for start in stored if start not in kept),
        wins=tuple(wins),
        won=tuple(Won(t.valid_from, t.valid_to, t.winner, t.since, now) for t in lost),
    )


def _pieces(
    span: Span, old: Sequence[Tile], new: Sequence[Run]
) -> Iterator[tuple[int, int, Tile | None, Run | None]]:
    """Yield the span from left to right in pieces ``[lo, hi)`` under one tile and one run each."""
    tiles, runs = _Cursor(old), _Cursor(new)
    lo = span.lo
    while lo < span.hi:
        tile, tile_until = tiles.at(lo)
        run, run_until = runs.at(lo)
        hi = min(span.hi, tile_until, run_until)
        yield lo, hi, tile, run
        lo = hi


W = TypeVar("W", bound=Window)


class _Cursor(Generic[W]):
    """Reads sorted windows that do not overlap, once, for instants that only grow."""

    def __init__(self, windows: Sequence[W]) -> None:
        self._windows = windows
        self._next = 0

    def at(self, instant: int) -> tuple[W | None, int]:
        """Return the window over ``instant``, ``None`` in a gap, and until when that holds."""
        while self._next < len(self._windows):
            window = self._windows[self._next]
            if instant < window.valid_from:
                return None, window.valid_from
            if instant < window.valid_to:
                return window, window.valid_to
            self._next += 1
        return None, FOREVER


def _clipped(tile: Tile, lo: int, hi: int) -> Tile:
    return Tile(max(tile.valid_from, lo), min(tile.valid_to, hi), tile.winner, tile.since)


def _glued(tiles: Iterable[Tile]) -> list[Tile]:
    """Join neighbours that touch and have the same winner since the same time."""
    glued: list[Tile] = []
    for tile in tiles:
        last = glued[-1] if glued else None
        if last and (last.valid_to, last.winner, last.since) == (
            tile.valid_from,
            tile.winner,
            tile.since,
        ):
            glued[-1] = Tile(last.valid_from, tile.valid_to, tile.winner, tile.since)
        else:
            glued.append(tile)
    return glued
