"""Import: published histories, each source's in published order (DESIGN §4).

A file is read twice: once to check every row and to note where each document's rows lie, once to
store them. So nothing is half-imported for a row that cannot be read, and memory holds offsets,
not texts. A replay skips what is stored, so a killed import is resumed by running it again.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

from app.core.chain import Outcome
from app.core.errors import Conflict, Invalid, TelhaError
from app.core.imports import Coordinates, Row, coordinates
from app.core.statements import Statement
from app.core.values import sha256
from app.flow.ingest import Arrival, take_arrivals
from app.flow.versions import lock_sources
from app.payloads.base import parse
from app.payloads.imports import Imported, RowIn
from app.ports import Clock, Store, Tx

_ROWS: Final = 1_000
_BYTES: Final = 8 * 1024 * 1024

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a row of a document lies in the file, and its stamps; ``valid_to`` in µs."""

    seq: int
    line: int
    offset: int
    stamps: Row
    valid_to: int | None


_Placed = tuple[_Place, Coordinates]
"""A row's place with the coordinates that it gets over its document's whole history."""


def import_jsonl(
    store: Store,
    clock: Clock,
    tenant: str,
    path: Path,
    *,
    progress: Progress | None = None,
) -> Imported:
    """Import the version histories of a JSONL file; one source a ``doc``, ``delete`` rows end it.

    Raises ``Invalid`` ``ROW_INVALID``, ``STAMP_IN_FUTURE`` or ``WINDOW_EMPTY`` naming the line, and
    nothing is imported then; ``Conflict`` ``TX_CONFLICT`` naming the document, those before which
    are stored.
    """
    documents = _survey(path, clock.now())
    total = sum(len(placed) for placed in documents.values())
    counts = dict.fromkeys(Outcome, 0)
    with path.open("rb") as file:
        for batch in _batches(documents, file):
            for outcome in _store(store, clock, tenant, batch):
                counts[outcome] += 1
            if progress is not None:
                progress(sum(counts.values()), total)
    return Imported(
        sources=len(documents),
        rows=total,
        stored=counts[Outcome.STORED],
        observed=counts[Outcome.OBSERVED],
        duplicates=counts[Outcome.DUPLICATE],
    )


def _survey(path: Path, now: int) -> dict[str, list[_Placed]]:
    """Check every row; return where each document's rows lie and belong, in published order."""
    documents: dict[str, list[_Place]] = {}
    offset = 0
    with path.open("rb") as file:
        for line, raw in enumerate(file, start=1):
            if raw.strip():
                row = _row(raw, line)
                documents.setdefault(row.doc, []).append(
                    _Place(row.seq, line, offset, _stamps(row, line), row.valid_to)
                )
            offset += len(raw)
    return {doc: _placed(doc, places, now) for doc, places in documents.items()}


def _placed(doc: str, places: list[_Place], now: int) -> list[_Placed]:
    places.sort(key=lambda place: place.seq)
    _refuse_doubles(doc, places)
    given = coordinates((place.stamps for place in places), clock=now)
    placed = list(zip(places, given, strict=True))
    for place, at in placed:
        if place.valid_to is not None and place.valid_to <= at.valid_from:
            raise Invalid(
                "WINDOW_EMPTY",
                f"valid_from {at.valid_from} is not before valid_to {place.valid_to}",
                field=f"line {place.line}",
            )
    return placed


def _store(
    store: Store, clock: Clock, tenant: str, batch: Mapping[str, Sequence[Arrival]]
) -> Iterator[Outcome]:
    """Store the rows of some documents in one transaction; one by one where that is refused."""
    try:
        yield from store.write(partial(_take, tenant=tenant, batch=batch, now=clock.now()))
    except Conflict as refused:
        if len(batch) == 1:
            [doc] = batch
            raise Conflict(
                refused.code, refused.message, field=f"doc {doc!r}", hint=refused.hint
            ) from None
        for doc, arrivals in batch.items():
            yield from _store(store, clock, tenant, {doc: arrivals})


def _take(tx: Tx, tenant: str, batch: Mapping[str, Sequence[Arrival]], now: int) -> list[Outcome]:
    sources = lock_sources(tx, tenant, batch, now=now)
    taken = take_arrivals(tx, {sources[doc]: arrivals for doc, arrivals in batch.items()})
    return [outcome for each in taken for outcome, _ in each.outcomes]


def _batches(
    documents: Mapping[str, Sequence[_Placed]], file: BinaryIO
) -> Iterator[dict[str, list[Arrival]]]:
    """Yield rows by document, in order: up to 1,000 at once, and not much over 8 MiB of text.

    Each row is read again only when it is its turn.
    """
    batch: dict[str, list[Arrival]] = {}
    rows = size = 0
    for doc, placed in documents.items():
        for place, at in placed:
            arrival = _arrival(_read(place, file), at)
            batch.setdefault(doc, []).append(arrival)
            rows, size = rows + 1, size + len(arrival.text or "")
            if rows == _ROWS or size >= _BYTES:
                yield batch
                batch, rows, size = {}, 0, 0
    if batch:
        yield batch


def _arrival(row: RowIn, at: Coordinates) -> Arrival:
    ends = row.event == "delete"
    statement = Statement(
        tx=at.tx,
        text_sha256=None if ends else sha256(row.text),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        imported_from=at.valid_from,
    )
    return Arrival(statement, None if ends else row.text, row.commit)


def _read(place: _Place, file: BinaryIO) -> RowIn:
    file.seek(place.offset)
    return _row(file.readline(), place.line)


def _row(raw: bytes, line: int) -> RowIn:
    try:
        body = json.loads(raw)
        if not isinstance(body, dict):
            raise Invalid("ROW_INVALID", "is no JSON object")
        return parse(RowIn, body)
    except (ValueError, TelhaError) as refused:
        why = str(refused) if isinstance(refused, TelhaError) else "is no JSON"
        raise Invalid("ROW_INVALID", why, field=f"line {line}") from None


def _stamps(row: RowIn, line: int) -> Row:
    return Row(
        row=f"line {line}",
        author_ts=row.author_ts,
        committer_ts=row.committer_ts,
        tx=row.tx,
        valid_from=row.valid_from,
    )


def _refuse_doubles(doc: str, places: Sequence[_Place]) -> None:
    for before, after in pairwise(places):
        if before.seq == after.seq:
            raise Invalid(
                "ROW_INVALID",
                f"seq {after.seq} of {doc!r} was given in line {before.line} already",
                field=f"line {after.line}",
            )
