"""Import from JSONL: the version histories of a file, one source a document (DESIGN §4).

The file is read twice: once to survey it, which checks every row and gives each document's rows
their coordinates, once to store them. So nothing is half-imported for a row that cannot be read.
"""

import json
from collections.abc import Iterator
from itertools import tee
from pathlib import Path
from typing import BinaryIO

from app.core.errors import Invalid, TelhaError
from app.core.imports import Coordinates, Row, coordinates
from app.core.values import text
from app.flow.imports import Histories, Progress, arrival, import_histories
from app.flow.ingest import Arrival
from app.flow.survey import Place, Survey, surveyed
from app.payloads.base import parse
from app.payloads.imports import Imported, RowIn
from app.ports import Clock, Store

_Placed = tuple[Place, Coordinates]
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
    now = clock.now()
    with surveyed() as survey, path.open("rb") as file:
        _survey(file, survey)
        for _, placed in _placed(survey, now):
            _check(placed)
        sources, rows = survey.count()
        histories = Histories(
            sources, rows, _placed(survey, now), lambda each: _brought(each, file)
        )
        return import_histories(store, clock, tenant, histories, progress=progress)


def _survey(file: BinaryIO, survey: Survey) -> None:
    """Check that every row can be read, and note where it lies."""
    offset = 0
    for line, raw in enumerate(file, start=1):
        if raw.strip():
            row = _row(raw, line)
            survey.add(row.doc, _place(row, line, offset))
        offset += len(raw)


def _place(row: RowIn, line: int, offset: int) -> Place:
    return Place(
        seq=row.seq,
        line=line,
        offset=offset,
        ends=row.event == "delete",
        origin=row.commit,
        author_ts=row.author_ts,
        committer_ts=row.committer_ts,
        tx=row.tx,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
    )


def _placed(survey: Survey, now: int) -> Iterator[tuple[str, Iterator[_Placed]]]:
    for doc, places in survey.documents():
        there, stamped = tee(places)
        given = coordinates(map(_stamps, stamped), clock=now)
        yield doc, zip(there, given, strict=True)


def _check(placed: Iterator[_Placed]) -> None:
    """Refuse a stamp ahead of the clock, and a window that ends before it starts."""
    for place, at in placed:
        if place.valid_to is not None and place.valid_to <= at.valid_from:
            raise Invalid(
                "WINDOW_EMPTY",
                f"valid_from {at.valid_from} is not before valid_to {place.valid_to}",
                field=f"line {place.line}",
            )


def _brought(placed: _Placed, file: BinaryIO) -> Arrival:
    place, at = placed
    words = None if place.ends else _text(place, file)
    return arrival(words, at, place.origin, valid_from=place.valid_from, valid_to=place.valid_to)


def _text(place: Place, file: BinaryIO) -> str:
    """Read the text of a row, which was checked before, as it is its turn."""
    file.seek(place.offset)
    try:
        return text(json.loads(file.readline())["text"], field="text")
    except (ValueError, LookupError, TypeError, TelhaError):
        raise Invalid(
            "ROW_INVALID",
            "is not what it was when the import began",
            field=f"line {place.line}",
            hint="Leave the file alone while it is imported, and run the import again.",
        ) from None


def _row(raw: bytes, line: int) -> RowIn:
    try:
        body = json.loads(raw)
        if not isinstance(body, dict):
            raise Invalid("ROW_INVALID", "is no JSON object")
        return parse(RowIn, body)
    except (ValueError, TelhaError) as refused:
        why = str(refused) if isinstance(refused, TelhaError) else "is no JSON"
        raise Invalid("ROW_INVALID", why, field=f"line {line}") from None


def _stamps(place: Place) -> Row:
    return Row(
        row=f"line {place.line}",
        author_ts=place.author_ts,
        committer_ts=place.committer_ts,
        tx=place.tx,
        valid_from=place.valid_from,
    )
