"""Coordinates of an ordered import: published order rules, not authors' clocks (DESIGN §4)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.core.errors import Invalid
from app.core.statements import SKEW


@dataclass(frozen=True, slots=True)
class Row:
    """One published version of a document, times in µs; ``row`` is its place, for people."""

    row: str
    author_ts: int | None = None
    committer_ts: int | None = None
    tx: int | None = None
    valid_from: int | None = None


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The ``tx`` and ``valid_from`` (µs) that a row gets, on any day and after any resume."""

    tx: int
    valid_from: int


def coordinates(rows: Iterable[Row], *, clock: int) -> Iterator[Coordinates]:
    """Yield the coordinates of the rows of one document, in published order.

    ``tx`` is stated, else the committer's stamp, else the author's, else the predecessor's + 1
    (first 0), and always after the predecessor's. ``valid_from`` is stated, else the greater of the
    author's stamp and the predecessor's, capped at ``tx``; without a stamp the predecessor's (first
    0). Raises ``Invalid`` ``STAMP_IN_FUTURE`` for a stamp five minutes or more ahead of ``clock``.
    """
    previous = Coordinates(tx=-1, valid_from=0)
    for row in rows:
        stamps = [at for at in (row.tx, row.committer_ts, row.author_ts) if at is not None]
        for stamp in stamps:
            if stamp - clock >= SKEW:
                raise _ahead(row, stamp, clock)
        tx = max(stamps[0] if stamps else 0, previous.tx + 1)
        computed = min(max(row.author_ts or 0, previous.valid_from), tx)
        previous = Coordinates(tx, computed if row.valid_from is None else row.valid_from)
        yield previous


def _ahead(row: Row, stamp: int, clock: int) -> Invalid:
    return Invalid(
        "STAMP_IN_FUTURE",
        f"the stamp {stamp} is five minutes or more ahead of the clock ({clock})",
        field=row.row,
        hint="Mend the row; nothing was imported.",
    )
