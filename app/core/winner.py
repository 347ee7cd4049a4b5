"""Who wins a source's valid-time line, and which part of it a statement can change (DESIGN §4).

At instant T the active override covering T with the greatest tx wins; else, of the candidates
covering T, the one greatest in (valid_from, tx), and where that one is blank nobody does. All
instants are µs, all windows half open ``[valid_from, valid_to)``, an open end is ``FOREVER``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeAlias


class Window(Protocol):
    """Anything that holds over ``[valid_from, valid_to)``."""

    @property
    def valid_from(self) -> int:
        """First instant inside, µs."""

    @property
    def valid_to(self) -> int:
        """First instant after, µs; ``FOREVER`` where open."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that competes by (valid_from, tx).

    ``blank``: an end, or a version tombstoned for retention or erasure. It ranks like any other
    and where it is greatest nobody wins.
    """

    tx: int
    valid_from: int
    valid_to: int
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """An active override ``tx`` whose version ``bound_tx`` is not tombstoned."""

    tx: int
    bound_tx: int
    valid_from: int
    valid_to: int


@dataclass(frozen=True, slots=True)
class Span:
    """The part ``[lo, hi)`` of the valid-time line, µs."""

    lo: int
    hi: int


class Run(NamedTuple):
    """The version ``winner`` (a tx) wins over ``[valid_from, valid_to)``."""

    valid_from: int
    valid_to: int
    winner: int


CandidateChange: TypeAlias = tuple[Candidate | None, Candidate | None]
"""A candidate before and after a statement; ``None`` where it does not compete."""


def tile(span: Span, candidates: Iterable[Candidate], bindings: Iterable[Binding]) -> list[Run]:
    """Return who wins over ``span``: maximal runs from left to right, nothing where nobody wins.

    Neither input need be sorted. Costs O(n log n).
    """
    entrants = sorted(_entrants(span, candidates, bindings))
    marks = sorted({mark for entrant in entrants for mark in (entrant.start, entrant.end)})
    leaders: list[tuple[_Rank, int, int | None]] = []
    runs: list[Run] = []
    entered = 0
    for mark, until in pairwise(marks):
        while entered < len(entrants) and entrants[entered].start == mark:
            _, end, rank, winner = entrants[entered]
            heappush(leaders, (rank, end, winner))
            entered += 1
        while leaders and leaders[0][1] <= mark:
            heappop(leaders)
        if leaders:
            _extend(runs, mark, until, leaders[0][2])
    return runs


def covered(span: Span, windows: Iterable[Window]) -> bool:
    """Tell whether ``windows``, in any order, together cover the whole of ``span``.

    This is when paging may stop. Candidates starting below ``span.hi`` are read by (valid_from, tx)
    descending, so each one not yet read ranks below all that were; once those read cover the span
    it can win nowhere. Blanks count, they win as nobody; so do bindings, which beat all candidates.
    """
    reach = span.lo
    for window in sorted(windows, key=lambda window: window.valid_from):
        if window.valid_from > reach:
            break
        reach = max(reach, window.valid_to)
    return reach >= span.hi


def hull(changes: Iterable[CandidateChange]) -> Span | None:
    """Return the smallest span holding each changed candidate's windows, before and after.

    ``None`` where nothing changed. Outside it the same candidates cover each instant as before.
    """
    return _hull(_changed(changes))


def latest_start(changes: Iterable[CandidateChange]) -> int | None:
    """Return the greatest valid_from of the changed candidates; ``None`` where nothing changed."""
    return max((candidate.valid_from for candidate in _changed(changes)), default=None)


def bounded(hull: Span, next_open: int | None) -> Span:
    """Return the hull of changed candidates, cut off where none of them can win any more.

    ``next_open``: the smallest valid_from greater than ``latest_start`` of a competing candidate,
    blank or not, that is open-ended and itself unchanged; ``None`` where there is none. That one
    covers each instant from there on and starts later than each changed one, so it outranks them
    all, both before and after, whatever their tx: they decide nothing there. A start equal to
    ``latest_start`` would leave the decision to tx and is no bound; nor is a candidate with an
    end, since beyond that a changed one may win again.
    """
    return hull if next_open is None else Span(hull.lo, min(hull.hi, next_open))


def affected_span(
    changes: Sequence[CandidateChange], bindings: Iterable[Binding], next_open: int | None
) -> Span | None:
    """Return the span outside which no winner differs; ``None`` where nothing can differ.

    ``changes`` of candidates are bounded by ``next_open`` (see ``bounded``). ``bindings`` are those
    that appeared or disappeared (for a changed one: both); they beat every candidate, so none
    bounds them. Raises ``ValueError`` where ``next_open`` is not later than each changed start.
    """
    latest = latest_start(changes)
    if latest is not None and next_open is not None and next_open <= latest:
        raise ValueError(f"next_open {next_open} is not later than the changed start {latest}")
    moved = hull(changes)
    bound = _hull(bindings)
    if moved is None:
        return bound
    moved = bounded(moved, next_open)
    return moved if bound is None else Span(min(moved.lo, bound.lo), max(moved.hi, bound.hi))


_Rank: TypeAlias = tuple[int, int, int]


class _Entrant(NamedTuple):
    """One that competes, clipped to the span; the smallest ``rank`` wins, as ``winner``."""

    start: int
    end: int
    rank: _Rank
    winner: int | None


def _entrants(
    span: Span, candidates: Iterable[Candidate], bindings: Iterable[Binding]
) -> Iterator[_Entrant]:
    for b in bindings:
        start, end = max(b.valid_from, span.lo), min(b.valid_to, span.hi)
        if start < end:
            yield _Entrant(start, end, (0, 0, -b.tx), b.bound_tx)
    for c in candidates:
        start, end = max(c.valid_from, span.lo), min(c.valid_to, span.hi)
        if start < end:
            yield _Entrant(start, end, (1, -c.valid_from, -c.tx), None if c.blank else c.tx)


def _extend(runs: list[Run], start: int, end: int, winner: int | None) -> None:
    """Append a run, or lengthen the last one where it has the same winner and ends at ``start``."""
    if winner is None:
        return
    if runs and runs[-1].valid_to == start and runs[-1].winner == winner:
        start = runs.pop().valid_from
    runs.append(Run(start, end, winner))


def _changed(changes: Iterable[CandidateChange]) -> Iterator[Candidate]:
    for before, after in changes:
        if before != after:
            yield from (candidate for candidate in (before, after) if candidate is not None)


def _hull(windows: Iterable[Window]) -> Span | None:
    ends = [(window.valid_from, window.valid_to) for window in windows]
    if not ends:
        return None
    return Span(min(start for start, _ in ends), max(end for _, end in ends))
