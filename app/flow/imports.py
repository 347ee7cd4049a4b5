"""Import: published histories, each source's in published order (DESIGN §4).

A replay skips what is stored, so a killed import is resumed by running it again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from app.core.chain import Outcome
from app.core.errors import Conflict
from app.core.imports import Coordinates
from app.core.statements import Statement
from app.core.values import sha256
from app.flow.ingest import Arrival, take_arrivals
from app.flow.versions import lock_sources
from app.payloads.imports import Imported
from app.ports import Clock, Store, Tx

_ROWS: Final = 1_000
_BYTES: Final = 8 * 1024 * 1024

P = TypeVar("P")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Histories(Generic[P]):
    """Documents in the order to import, a place for each row that is to be written.

    ``documents`` is read once, in order; ``sources`` and ``rows`` tell how many they are. ``bring``
    returns the statement of a row when it is its turn, ``None`` for one to pass over.
    """

    sources: int
    rows: int
    documents: Iterable[tuple[str, Iterable[P]]]
    bring: Callable[[P], Arrival | None]


def import_histories(
    store: Store,
    clock: Clock,
    tenant: str,
    histories: Histories[P],
    *,
    progress: Progress | None = None,
) -> Imported:
    """Store the rows of surveyed documents, up to 1,000 in one transaction.

    While a batch is stored the next one is read. Raises ``Conflict`` ``TX_CONFLICT`` naming the
    document, those before which are stored.
    """
    counts = Counter[Outcome]()
    batches = _batches(histories)
    with ThreadPoolExecutor(1) as writer:
        ahead = next(batches, None)
        while ahead is not None:
            done, batch = ahead
            stored = writer.submit(_store, store, clock, tenant, batch)
            ahead = next(batches, None)
            counts.update(stored.result())
            if progress is not None:
                progress(done, histories.rows)
    return Imported(
        sources=histories.sources,
        rows=histories.rows,
        stored=counts[Outcome.STORED],
        observed=counts[Outcome.OBSERVED],
        duplicates=counts[Outcome.DUPLICATE],
    )


def _store(
    store: Store, clock: Clock, tenant: str, batch: Mapping[str, Sequence[Arrival]]
) -> list[Outcome]:
    """Store the rows of some documents in one transaction; one by one where that is refused."""
    try:
        return store.write(partial(_take, tenant=tenant, batch=batch, now=clock.now()))
    except Conflict as refused:
        if len(batch) == 1:
            [doc] = batch
            raise Conflict(
                refused.code, refused.message, field=f"doc {doc!r}", hint=refused.hint
            ) from None
        alone = ({doc: arrivals} for doc, arrivals in batch.items())
        return [outcome for each in alone for outcome in _store(store, clock, tenant, each)]


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
    for doc, places in histories.documents:
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
