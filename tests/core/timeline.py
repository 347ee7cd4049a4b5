"""A small world for the tile cut: statements, who wins by brute force, and a store of tiles."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from hypothesis import strategies as st

from app.core.instants import FOREVER
from app.core.tiles import Recut, Tile, Won, recut
from app.core.winner import (
    Binding,
    Candidate,
    CandidateChange,
    Run,
    Span,
    affected_span,
    covered,
    latest_start,
    tile,
)

LINE = Span(0, FOREVER)
POINTS = (*range(14), FOREVER - 1)
Picture: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True)
class Version:
    tx: int
    valid_from: int
    valid_to: int
    ends: bool = False
    corrects: int | None = None
    override_only: bool = False


@dataclass(frozen=True)
class Override:
    tx: int
    bound_tx: int
    valid_from: int
    valid_to: int


@dataclass(frozen=True)
class Withdrawn:
    tx: int


@dataclass(frozen=True)
class Expired:
    """Tombstoned for retention: still ranks, still corrects, as a blank."""

    tx: int


@dataclass(frozen=True)
class Released:
    override_tx: int


Fact: TypeAlias = Version | Override | Withdrawn | Expired | Released


def candidates_of(facts: Iterable[Fact]) -> dict[int, Candidate]:
    facts = list(facts)
    withdrawn = {f.tx for f in facts if isinstance(f, Withdrawn)}
    expired = {f.tx for f in facts if isinstance(f, Expired)}
    standing = [f for f in facts if isinstance(f, Version) and f.tx not in withdrawn]
    corrected = {v.corrects for v in standing}
    newest = {v.corrects: v.tx for v in sorted(standing, key=lambda v: v.tx)}
    return {
        v.tx: Candidate(v.tx, v.valid_from, v.valid_to, blank=v.ends or v.tx in expired)
        for v in standing
        if not v.override_only
        and v.tx not in corrected
        and (v.corrects is None or newest[v.corrects] == v.tx)
    }


def bindings_of(facts: Iterable[Fact]) -> set[Binding]:
    facts = list(facts)
    dead = {f.tx for f in facts if isinstance(f, Withdrawn | Expired)}
    bindable = {f.tx for f in facts if isinstance(f, Version)} - dead
    released = {f.override_tx for f in facts if isinstance(f, Released)}
    return {
        Binding(f.tx, f.bound_tx, f.valid_from, f.valid_to)
        for f in facts
        if isinstance(f, Override) and f.bound_tx in bindable and f.tx not in released
    }


def winner_at(
    at: int, candidates: Iterable[Candidate], bindings: Iterable[Binding] = ()
) -> int | None:
    bound = [b for b in bindings if b.valid_from <= at < b.valid_to]
    if bound:
        return max(bound, key=lambda b: b.tx).bound_tx
    ranked = [c for c in candidates if c.valid_from <= at < c.valid_to]
    if not ranked:
        return None
    best = max(ranked, key=lambda c: (c.valid_from, c.tx))
    return None if best.blank else best.tx


def picture(facts: Iterable[Fact]) -> Picture:
    facts = list(facts)
    candidates, bindings = candidates_of(facts).values(), bindings_of(facts)
    return tuple(winner_at(at, candidates, bindings) for at in POINTS)


@dataclass(frozen=True)
class Move:
    """What one statement changes, as the flow hands it to the cut."""

    changes: list[CandidateChange]
    bindings: set[Binding]
    next_open: int | None

    @property
    def span(self) -> Span | None:
        return affected_span(self.changes, self.bindings, self.next_open)


def move(before: Iterable[Fact], after: Iterable[Fact]) -> Move:
    before, after = list(before), list(after)
    was, now = candidates_of(before), candidates_of(after)
    moved = sorted(tx for tx in was.keys() | now.keys() if was.get(tx) != now.get(tx))
    changes = [(was.get(tx), now.get(tx)) for tx in moved]
    latest = latest_start(changes)
    starts = [
        c.valid_from
        for c in now.values()
        if c.tx not in moved and c.valid_to == FOREVER and latest is not None
        if c.valid_from > latest
    ]
    return Move(changes, bindings_of(before) ^ bindings_of(after), min(starts, default=None))


def pages(span: Span, candidates: Iterable[Candidate], size: int) -> Iterator[list[Candidate]]:
    ranked = sorted(
        (c for c in candidates if c.valid_from < span.hi),
        key=lambda c: (c.valid_from, c.tx),
        reverse=True,
    )
    for start in range(0, len(ranked), size):
        yield ranked[start : start + size]


Enough: TypeAlias = Callable[[Span, Sequence[Candidate | Binding]], bool]


def read(
    span: Span,
    candidates: Iterable[Candidate],
    bindings: Iterable[Binding],
    *,
    size: int,
    enough: Enough = covered,
) -> list[Candidate]:
    """Read page after page until ``enough`` says that no lower candidate can win."""
    seen: list[Candidate] = []
    for page in pages(span, candidates, size):
        seen += page
        if enough(span, [*seen, *bindings]):
            break
    return seen


@dataclass
class Store:
    """Tiles by valid_from and everything that used to win, with the store's own refusals."""

    tiles: dict[int, Tile] = field(default_factory=dict)
    won: list[Won] = field(default_factory=list)

    def overlapping(self, span: Span) -> list[Tile]:
        return [t for t in self.line() if t.valid_from < span.hi and t.valid_to > span.lo]

    def line(self) -> list[Tile]:
        return sorted(self.tiles.values(), key=lambda t: t.valid_from)

    def write(self, cut: Recut) -> None:
        for start, end in cut.trims:
            was = self.tiles[start]
            assert was.valid_to != end, "a trim that changes nothing"
            self.tiles[start] = Tile(start, end, was.winner, was.since)
        dropped = {start: self.tiles.pop(start) for start in cut.drops}
        for win in cut.wins:
            assert win.valid_from not in self.tiles, "the key is taken"
            again = dropped.get(win.valid_from)
            assert again is None or (again.winner, again.since) != (win.winner, win.since)
            self.tiles[win.valid_from] = win
        self.won += cut.won

    def as_of(self, at: int, known: int) -> list[int]:
        standing = [t for t in self.tiles.values() if t.since <= known]
        past = [w for w in self.won if w.tx_from <= known < w.tx_to]
        known_then: list[Tile | Won] = [*standing, *past]
        return [w.winner for w in known_then if w.valid_from <= at < w.valid_to]

    def picture(self) -> Picture:
        return self.picture_at(FOREVER)

    def picture_at(self, known: int) -> Picture:
        return tuple(single(self.as_of(at, known)) for at in POINTS)

    def glued(self) -> list[Run]:
        """Winners alone, as maximal runs: what does not depend on the order of arrival."""
        runs: list[Run] = []
        for t in self.line():
            if runs and (runs[-1].valid_to, runs[-1].winner) == (t.valid_from, t.winner):
                runs[-1] = Run(runs[-1].valid_from, t.valid_to, t.winner)
            else:
                runs.append(Run(t.valid_from, t.valid_to, t.winner))
        return runs


def single(winners: list[int]) -> int | None:
    assert len(winners) <= 1, f"more than one winner at one coordinate: {winners}"
    return winners[0] if winners else None


def record(
    store: Store, before: Iterable[Fact], after: Iterable[Fact], now: int, *, page: int = 2
) -> Recut:
    """Apply one statement as the flow does: span, pages, runs, cut, write."""
    after = list(after)
    span = move(before, after).span
    if span is None:
        return Recut()
    bindings = bindings_of(after)
    candidates = read(span, candidates_of(after).values(), bindings, size=page)
    cut = recut(span, store.overlapping(span), tile(span, candidates, bindings), now)
    store.write(cut)
    return cut


def recorded(*statements: Sequence[Fact], step: int = 10) -> Store:
    """Return the store after the statements, recorded at 10, 20, …"""
    store = Store()
    facts: list[Fact] = []
    for number, statement in enumerate(statements, start=1):
        record(store, facts, [*facts, *statement], number * step)
        facts += statement
    return store


# ------------------------------------------------------------------------------- strategies

instants = st.integers(0, 12)


@st.composite
def windows(draw: st.DrawFn) -> tuple[int, int]:
    start = draw(instants)
    return start, draw(st.just(FOREVER) | st.integers(start + 1, 13))


@st.composite
def spans(draw: st.DrawFn) -> Span:
    return Span(*draw(windows()))


@st.composite
def rivals(draw: st.DrawFn) -> tuple[list[Candidate], list[Binding]]:
    txs = draw(st.lists(st.integers(0, 30), unique=True, max_size=9))
    candidates = [Candidate(tx, *draw(windows()), blank=draw(st.booleans())) for tx in txs]
    txs = draw(st.lists(st.integers(31, 40), unique=True, max_size=3))
    bindings = [Binding(tx, draw(st.integers(0, 30)), *draw(windows())) for tx in txs]
    return candidates, bindings


@st.composite
def statements(draw: st.DrawFn, max_size: int = 12) -> list[list[Fact]]:
    """Statements in order of arrival, with tx in any order; each is what one write records."""
    txs = draw(st.permutations(range(1, max_size + 1)))
    versions: list[Version] = []
    overrides: list[Override] = []
    out: list[list[Fact]] = []
    for tx in txs[: draw(st.integers(1, max_size))]:
        statement = _statement(draw, tx, versions, overrides)
        versions += [f for f in statement if isinstance(f, Version)]
        overrides += [f for f in statement if isinstance(f, Override)]
        out.append(statement)
    return out


KINDS = (
    "version",
    "version",
    "end",
    "correction",
    "override",
    "text",
    "withdraw",
    "expire",
    "free",
)
TOMBSTONES: dict[str, Callable[[int], Fact]] = {"withdraw": Withdrawn, "expire": Expired}


def _statement(
    draw: st.DrawFn, tx: int, versions: list[Version], overrides: list[Override]
) -> list[Fact]:
    kind = draw(st.sampled_from(KINDS))
    smaller = [v for v in versions if v.tx < tx and not v.override_only]
    if kind in TOMBSTONES and versions:
        return [TOMBSTONES[kind](draw(st.sampled_from(versions)).tx)]
    if kind == "free" and overrides:
        return [Released(draw(st.sampled_from(overrides)).tx)]
    start, end = draw(windows())
    if kind == "correction" and smaller:
        wrong = draw(st.sampled_from(smaller))
        window = draw(st.sampled_from([(wrong.valid_from, wrong.valid_to), (start, end)]))
        return [Version(tx, *window, corrects=wrong.tx)]
    if kind == "override" and versions:
        return [Override(tx, draw(st.sampled_from(versions)).tx, start, end)]
    if kind == "text":
        return [Version(tx, start, end, override_only=True), Override(tx, tx, start, end)]
    ends = kind == "end"
    return [Version(tx, start, FOREVER if ends else end, ends=ends)]


@st.composite
def transactions(draw: st.DrawFn) -> list[list[Fact]]:
    """The same, with neighbours put together: what an import or a replacement writes at once."""
    out: list[list[Fact]] = []
    for statement in draw(statements()):
        together = draw(st.booleans())
        if out and together:
            out[-1] = [*out[-1], *statement]
        else:
            out.append(statement)
    return out


@st.composite
def lines(draw: st.DrawFn, since: st.SearchStrategy[int]) -> list[Tile]:
    """Tiles as a store might hold them: sorted, disjoint, with gaps, few winners."""
    cuts = [*sorted(draw(st.sets(instants, min_size=2))), FOREVER]
    winners = draw(st.lists(st.integers(0, 2), min_size=len(cuts) - 1, max_size=len(cuts) - 1))
    return [
        Tile(lo, hi, winner, draw(since))
        for (lo, hi), winner in zip(itertools.pairwise(cuts), winners, strict=True)
        if winner
    ]
