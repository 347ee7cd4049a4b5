"""Re-cutting the tiles of a locked source: reading only what can change hands (DESIGN §3)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from app.core.tiles import Tile, recut
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
from app.graph.queries import ingest as q
from app.ports import Tx

_FIRST_PAGE: Final = 8
_GROWTH: Final = 4


def recut_source(
    tx: Tx,
    source_key: str,
    changes: Sequence[CandidateChange],
    bindings: Sequence[Binding] = (),
    *,
    now: int,
) -> None:
    """Cut anew the tiles that ``changes`` and changed ``bindings`` can touch, recorded at ``now``.

    The changes are already written to the graph. A no-op where no tile changes hands.
    """
    span = affected_span(changes, bindings, _next_open(tx, source_key, changes))
    if span is None:
        return
    standing = _bindings(tx, source_key, span)
    runs = tile(span, _candidates(tx, source_key, span, standing), standing)
    tiles = tx.run(q.READ_TILES, source_key=source_key, lo=span.lo, hi=span.hi)
    old = [Tile(t.valid_from, t.valid_to, t.winner, t.since) for t in tiles]
    cut = recut(span, old, runs, now)
    if cut.trims or cut.drops or cut.wins or cut.won:
        tx.run(
            q.CUT_TILES,
            source_key=source_key,
            trims=[trim._asdict() for trim in cut.trims],
            drops=list(cut.drops),
            won=[asdict(won) for won in cut.won],
            wins=[asdict(win) for win in cut.wins],
        )


def _next_open(tx: Tx, source_key: str, changes: Sequence[CandidateChange]) -> int | None:
    latest = latest_start(changes)
    if latest is None:
        return None
    rows = tx.run(q.READ_NEXT_OPEN, source_key=source_key, after=latest)
    return rows[0].valid_from if rows else None


def _bindings(tx: Tx, source_key: str, span: Span) -> list[Binding]:
    rows = tx.run(q.READ_BINDINGS, source_key=source_key, lo=span.lo, hi=span.hi)
    return [Binding(row.tx, row.bound_tx, row.valid_from, row.valid_to) for row in rows]


def _candidates(
    tx: Tx, source_key: str, span: Span, bindings: Sequence[Binding]
) -> list[Candidate]:
    """Read candidates best rank first, in growing pages, until no further one can win anywhere."""
    found: list[Candidate] = []
    page = _FIRST_PAGE
    while True:
        rows = tx.run(
            q.READ_CANDIDATES, source_key=source_key, before=span.hi, skip=len(found), page=page
        )
        found += [Candidate(row.tx, row.valid_from, row.valid_to, row.blank) for row in rows]
        if len(rows) < page or covered(span, [*found, *bindings]):
            return found
        page *= _GROWTH
