"""Ingest: versions, corrections and ends of a source, in one transaction with their change."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.core.chain import Chain, Outcome
from app.core.instants import bound
from app.core.statements import Statement, Stored, given_tx
from app.core.values import sha256
from app.flow.recut import Shift, recut_sources
from app.flow.requests import once
from app.flow.versions import (
    Edits,
    Raise,
    Source,
    as_stored,
    count_changes,
    known_family,
    lock_sources,
    write_edits,
)
from app.graph.queries import ingest as q
from app.payloads.ingest import EndIn, Ingested, VersionIn
from app.ports import Clock, Store, Tx

_TX_GIVEN: Final = "the stated tx was ahead of the clock; this one was given"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A statement with what the core does not carry: its text and where it came from."""

    statement: Statement
    text: str | None
    origin: str | None = None


def ingest_version(store: Store, clock: Clock, version: VersionIn) -> Ingested:
    """Store a version or correction; return what became of it (DESIGN §4).

    Raises ``Invalid`` (``TX_IN_FUTURE``, ``WINDOW_EMPTY``, ``CORRECTED_…``), ``NotFound``
    ``CORRECTED_UNKNOWN``, ``Conflict`` ``TX_CONFLICT``; then nothing was written.
    """

    def arrive(tx: int) -> Arrival:
        statement = Statement(
            tx=tx,
            text_sha256=sha256(version.text),
            valid_from=version.valid_from,
            valid_to=version.valid_to,
            source_ts=version.source_ts,
            corrects=version.corrects,
        )
        return Arrival(statement, version.text, version.origin)

    return _ingest_one(store, clock, version, "ingest_version", arrive)


def ingest_end(store: Store, clock: Clock, end: EndIn) -> Ingested:
    """Store an end: from its ``valid_from`` on no version wins until a greater one starts."""

    def arrive(tx: int) -> Arrival:
        statement = Statement(tx, None, end.valid_from, source_ts=end.source_ts)
        return Arrival(statement, None)

    return _ingest_one(store, clock, end, "ingest_end", arrive)


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the statements that arrived at a source."""

    source: Source
    chain: Chain
    outcomes: Sequence[tuple[Outcome, Stored]]
    arrivals: Sequence[Arrival]

    @property
    def last_tx(self) -> int:
        """The newest tx that the source now has."""
        return max([self.source.last_tx, *(each.statement.tx for each in self.arrivals)])

    @property
    def stated(self) -> int | None:
        """The newest tx that was stored; ``None`` where nothing was."""
        stored = (each.tx for outcome, each in self.outcomes if outcome is Outcome.STORED)
        return max(stored, default=None)


def take_arrivals(tx: Tx, arriving: Mapping[Source, Sequence[Arrival]]) -> list[Taken]:
    """Take the statements of locked sources, each source's in order.

    Writes them, cuts their tiles and notes one change for each source where anything was stored.
    Raises what ``Chain.take`` raises; then nothing of any of them was written.
    """
    chains = _chains(tx, arriving)
    taken = [
        Taken(source, chain, _take(tx, source, chain, arrivals), arrivals)
        for source, arrivals in arriving.items()
        for chain in [chains[source.key]]
    ]
    write_edits(tx, [_edits(each) for each in taken])
    recut_sources(tx, [Shift(each.source, list(each.chain.shifts())) for each in taken])
    count_changes(tx, [_raise(each, at) for each in taken if (at := each.stated) is not None])
    seen = [each for each in taken if each.stated is None and each.last_tx > each.source.last_tx]
    if seen:
        rows = [{"source_key": each.source.key, "last_tx": each.last_tx} for each in seen]
        tx.run(q.COUNT_OBSERVATIONS, rows=rows)
    return taken


def _chains(tx: Tx, arriving: Mapping[Source, Sequence[Arrival]]) -> dict[str, Chain]:
    """Read what decides about the arriving statements, source by source."""
    asked = [
        {
            "source_key": source.key,
            "tx": s.tx,
            "valid_from": s.valid_from,
            "valid_to": s.stated_to,
            "text_sha256": s.text_sha256,
        }
        for source, arrivals in arriving.items()
        if not source.is_new
        for s in (arrival.statement for arrival in arrivals)
    ]
    found = defaultdict[str, list[Stored]](list)
    for row in tx.run(q.READ_NEIGHBOURS, arriving=asked) if asked else []:
        found[row.source_key].append(as_stored(row))
    return {source.key: Chain(found[source.key]) for source in arriving}


def _take(
    tx: Tx, source: Source, chain: Chain, arrivals: Sequence[Arrival]
) -> list[tuple[Outcome, Stored]]:
    outcomes = []
    for arrival in arrivals:
        _know_family(tx, source.key, chain, arrival.statement)
        outcomes.append(chain.take(arrival.statement))
    return outcomes


def _edits(taken: Taken) -> Edits:
    return Edits(
        taken.source,
        taken.chain.edits(),
        texts={each.statement.tx: each.text for each in taken.arrivals},
        origins={each.statement.tx: each.origin for each in taken.arrivals},
    )


def _raise(taken: Taken, stated: int) -> Raise:
    what = "version" if len(taken.arrivals) == 1 else "versions"
    return Raise(taken.source, what, stated, taken.last_tx)


def _ingest_one(
    store: Store,
    clock: Clock,
    payload: VersionIn | EndIn,
    operation: str,
    arrive: Callable[[int], Arrival],
) -> Ingested:
    now = clock.now()

    def work(tx: Tx) -> Ingested:
        def take() -> Ingested:
            [source] = lock_sources(tx, payload.tenant, [payload.source_id], now=now).values()
            given = given_tx(payload.tx, clock=now, last=source.last_tx)
            [taken] = take_arrivals(tx, {source: [arrive(given)]})
            [(outcome, stored)] = taken.outcomes
            note = _TX_GIVEN if payload.tx not in (None, given) else None
            return _told(tx, source, outcome, stored, at=max(now, given), note=note)

        return once(tx, operation, payload, Ingested, take, now=now)

    return store.write(work)


def _told(
    tx: Tx, source: Source, outcome: Outcome, stored: Stored, *, at: int, note: str | None
) -> Ingested:
    rows = tx.run(q.READ_WINNER, source_key=source.key, at=at)
    winner = rows[0] if rows else None
    why_not = _why_not(stored, winner, at)
    return Ingested(
        source_id=source.source_id,
        tx=stored.tx,
        valid_from=stored.valid_from,
        valid_to=bound(stored.valid_to),
        outcome=outcome,
        removal=stored.removal,
        wins_now=why_not is None,
        why_not=why_not,
        winning_tx=winner.tx if winner else None,
        note=note,
    )


def _why_not(stored: Stored, winner: q.Winner | None, at: int) -> str | None:
    """Say why a statement does not win at an instant; an end "wins" where nobody does."""
    if (winner.tx if winner else None) == (None if stored.ends else stored.tx):
        return None
    if stored.removal is not None:
        return "tombstoned"
    if stored.valid_from > at:
        return "not_yet_valid"
    if stored.valid_to <= at:
        return "expired"
    if not stored.competes:
        return "corrected"
    if winner is None:
        return "source_ended"
    later = (winner.valid_from, winner.tx) > (stored.valid_from, stored.tx)
    return "newer_version" if later else "overridden"


def _know_family(tx: Tx, source_key: str, chain: Chain, statement: Statement) -> None:
    """Load what a correction ties together, for the one that is named or may be meant."""
    meant = statement.corrects
    if meant is None and statement.valid_from is not None:
        meant = chain.newest_from(statement.valid_from)
    if meant is not None and not chain.arrived(meant):
        chain.know(known_family(tx, source_key, meant))
