"""Re-cutting the tiles of locked sources: reading only what can change hands (DESIGN §3)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from app.core.tiles import Recut, Tile, Won, recut
from app.core.winner import (
    Binding,
    Candidate,
    CandidateChange,
    Span,
    affected_span,
    covered,
    latest_start,
    tile,
)
from app.flow.versions import Source
from app.graph.queries import ingest as q
from app.ports import Tx

T = TypeVar("T", Tile, Won)

_SPARE: Final = 8
_GROWTH: Final = 4


@dataclass(frozen=True, slots=True)
class Shift:
    """What moved at a locked source: candidates, as (before, after), and overrides' bindings."""

    source: Source
    changes: Sequence[CandidateChange]
    bindings: Sequence[Binding] = ()

    @property
    def arrived(self) -> list[Candidate]:
        """The candidates that there are now, where there were none before."""
        return [after for _, after in self.changes if after is not None]


@dataclass(frozen=True, slots=True)
class _Stored:
    """What is stored of sources over their spans; nothing of one that is new."""

    tiles: Mapping[str, Sequence[Tile]]
    candidates: Mapping[str, Sequence[Candidate]]
    bindings: Mapping[str, Sequence[Binding]]


def recut_sources(tx: Tx, shifts: Sequence[Shift]) -> None:
    """Cut anew the tiles that the shifts can touch. They are already written to the graph.

    A no-op where no tile changes hands.
    """
    spans = _spans(tx, shifts)
    if not spans:
        return
    stored = _stored(tx, spans, [each for each in shifts if not each.source.is_new])
    _cut(tx, {each.source.key: _recut(each, spans, stored) for each in shifts})


def _recut(shift: Shift, spans: Mapping[str, Span], stored: _Stored) -> Recut:
    """Cut the tiles of one source; all that competes for a new one is what arrived."""
    key = shift.source.key
    if key not in spans:
        return Recut()
    candidates = shift.arrived if shift.source.is_new else stored.candidates[key]
    winners = tile(spans[key], candidates, stored.bindings.get(key, ()))
    return recut(spans[key], stored.tiles.get(key, ()), winners, shift.source.recorded_at)


def _stored(tx: Tx, spans: Mapping[str, Span], known: Sequence[Shift]) -> _Stored:
    """Read what stands over the spans of sources that are not new."""
    asked = {key: spans[key] for each in known if (key := each.source.key) in spans}
    if not asked:
        return _Stored({}, {}, {})
    rows = [{"source_key": key, "lo": span.lo, "hi": span.hi} for key, span in asked.items()]
    bindings = _bindings(tx, rows)
    first_page = max(len(each.changes) for each in known) + _SPARE
    return _Stored(_tiles(tx, rows), _candidates(tx, asked, bindings, first_page), bindings)


def _spans(tx: Tx, shifts: Sequence[Shift]) -> dict[str, Span]:
    """Return, by source, the part of its valid time in which winners can differ."""
    latest = [
        {"source_key": shift.source.key, "after": after}
        for shift in shifts
        if not shift.source.is_new and (after := latest_start(shift.changes)) is not None
    ]
    found = tx.run(q.READ_NEXT_OPEN, rows=latest) if latest else []
    next_open = {row.source_key: row.valid_from for row in found}
    spans = {}
    for each in shifts:
        key = each.source.key
        span = affected_span(each.changes, each.bindings, next_open.get(key))
        if span is not None:
            spans[key] = span
    return spans


def _bindings(tx: Tx, spans: list[dict[str, object]]) -> defaultdict[str, list[Binding]]:
    found = defaultdict[str, list[Binding]](list)
    for row in tx.run(q.READ_BINDINGS, spans=spans):
        binding = Binding(row.tx, row.bound_tx, row.valid_from, row.valid_to)
        found[row.source_key].append(binding)
    return found


def _candidates(
    tx: Tx, spans: dict[str, Span], bindings: dict[str, list[Binding]], page: int
) -> defaultdict[str, list[Candidate]]:
    """Read candidates best rank first, in growing pages, until no further one can win anywhere."""
    found = defaultdict[str, list[Candidate]](list)
    open_spans = dict(spans)
    skip = 0
    while open_spans:
        asked = [{"source_key": key, "hi": span.hi} for key, span in open_spans.items()]
        for row in tx.run(q.READ_CANDIDATES, spans=asked, skip=skip, page=page):
            found[row.source_key] += [Candidate(*each) for each in row.candidates]
        skip += page
        open_spans = {
            key: span
            for key, span in open_spans.items()
            if len(found[key]) == skip and not covered(span, [*found[key], *bindings[key]])
        }
        page *= _GROWTH
    return found


def _tiles(tx: Tx, spans: list[dict[str, object]]) -> dict[str, list[Tile]]:
    found = tx.run(q.READ_TILES, spans=spans)
    return {row.source_key: [Tile(*each) for each in row.tiles] for row in found}


def _cut(tx: Tx, cuts: Mapping[str, Recut]) -> None:
    rows: dict[str, list[dict[str, object]]] = {"trims": [], "drops": [], "won": [], "wins": []}
    for key, cut in cuts.items():
        named: dict[str, object] = {"source_key": key}
        rows["trims"] += [named | each._asdict() for each in cut.trims]
        rows["drops"] += [named | {"valid_from": start} for start in cut.drops]
        rows["won"] += _by_winner(key, cut.won, _won)
        rows["wins"] += _by_winner(key, cut.wins, _tile)
    if any(rows.values()):
        tx.run(q.CUT_TILES, **rows)


def _by_winner(
    source_key: str, tiles: Iterable[T], row: Callable[[T], list[int]]
) -> Iterator[dict[str, object]]:
    """Yield a row for each version, with its tiles: a version over many is looked up once."""
    found = defaultdict[int, list[list[int]]](list)
    for each in tiles:
        found[each.winner].append(row(each))
    for winner, those in found.items():
        yield {"source_key": source_key, "winner": winner, "tiles": those}


def _tile(tile: Tile) -> list[int]:
    return [tile.valid_from, tile.valid_to, tile.since]


def _won(won: Won) -> list[int]:
    return [won.valid_from, won.valid_to, won.tx_from, won.tx_to]
