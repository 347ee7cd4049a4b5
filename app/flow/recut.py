"""Re-cutting the tiles of locked sources: reading only what can change hands (DESIGN §3)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
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


def recut_sources(tx: Tx, shifts: Sequence[Shift]) -> None:
    """Cut anew the tiles that the shifts can touch. They are already written to the graph.

    A no-op where no tile changes hands.
    """
    spans = _spans(tx, shifts)
    if not spans:
        return
    rows = [{"source_key": key, "lo": span.lo, "hi": span.hi} for key, span in spans.items()]
    bindings = _bindings(tx, rows)
    first_page = max(len(shift.changes) for shift in shifts) + _SPARE
    candidates = _candidates(tx, spans, bindings, first_page)
    old = _tiles(tx, rows)
    cuts = {
        key: recut(
            spans[key],
            old.get(key, []),
            tile(spans[key], candidates[key], bindings[key]),
            shift.source.recorded_at,
        )
        for shift in shifts
        if (key := shift.source.key) in spans
    }
    _cut(tx, cuts)


def _spans(tx: Tx, shifts: Sequence[Shift]) -> dict[str, Span]:
    """Return, by source, the part of its valid time in which winners can differ."""
    latest = [
        {"source_key": shift.source.key, "after": after}
        for shift in shifts
        if (after := latest_start(shift.changes)) is not None
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


def _cut(tx: Tx, cuts: dict[str, Recut]) -> None:
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
