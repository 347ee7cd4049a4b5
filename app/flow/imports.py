"""Import: published histories, each source's in published order (DESIGN §4).

A history is read twice: once to survey it, which gives each document's rows their coordinates, once
to store them. So nothing is half-imported for a row that cannot be read, and memory holds places,
not texts. A replay skips what is stored, so a killed import is resumed by running it again.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final, Generic, TypeVar

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

P = TypeVar("P")
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


@dataclass(frozen=True, slots=True)
class Histories(Generic[P]):
    """Documents in the order to import, a place for each row that is to be written.

    ``bring`` returns the statement of a row when it is its turn, ``None`` for one to pass over.
    """

    documents: Mapping[str, Sequence[P]]
    bring: Callable[[P], Arrival | None]


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
    with path.open("rb") as file:
        histories = Histories(documents, lambda placed: _brought(placed, file))
        return import_histories(store, clock, tenant, histories, progress=progress)


def import_histories(
    store: Store,
    clock: Clock,
    tenant: str,
    histories: Histories[P],
    *,
    progress: Progress | None = None,
) -> Imported:
    """Store the rows of surveyed documents, up to 1,000 in one transaction.

    Raises ``Conflict`` ``TX_CONFLICT`` naming the document, those before which are stored.
    """
    total = sum(len(places) for places in histories.documents.values())
    counts = dict.fromkeys(Outcome, 0)
    for done, batch in _batches(histories):
        for outcome in _store(store, clock, tenant, batch):
            counts[outcome] += 1
        if progress is not None:
            progress(done, total)
    return Imported(
        sources=len(histories.documents),
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


def _batches(histories: Histories[P]) -> Iterator[tuple[int, dict[str, list[Arrival]]]]:
    """Yield rows by document, in order: up to 1,000 at once, and not much over 8 MiB of text.

    Each batch comes with how many rows were reached with it.
    """
    batch: dict[str, list[Arrival]] = {}
    done = rows = size = 0
    for doc, places in histories.documents.items():
        for place in places:
            done += 1
            arrival = histories.bring(place)
            if arrival is None:
                continue
            batch.setdefault(doc, []).append(arrival)
            rows, size = rows + 1, size + len(arrival.text or "")
            if rows == _ROWS or size >= _BYTES:
                yield done, batch
                batch, rows, size = {}, 0, 0
    if batch:
        yield done, batch


def arrival(text: str | None, at: Coordinates, origin: str | None, **window: int | None) -> Arrival:
    """Return a row as a statement at its coordinates; without text it is an end.

    ``window``: its ``valid_from`` and ``valid_to`` (µs) where they are stated.
    """
    digest = None if text is None else sha256(text)
    statement = Statement(tx=at.tx, text_sha256=digest, imported_from=at.valid_from, **window)
    return Arrival(statement, text, origin)


def _brought(placed: _Placed, file: BinaryIO) -> Arrival:
    """Read a row again, as it is its turn."""
    place, at = placed
    row = _read(place, file)
    text = None if row.event == "delete" else row.text
    return arrival(text, at, row.commit, valid_from=row.valid_from, valid_to=row.valid_to)


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
