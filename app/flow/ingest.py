"""Ingest: versions, corrections and ends of a source, in one transaction with their change."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from app.core.chain import Chain, Edit, Outcome
from app.core.errors import NotFound
from app.core.instants import bound
from app.core.statements import FromRule, Removal, Statement, Stored, given_tx
from app.core.values import derived_id, sha256, source_key
from app.flow.recut import recut_source
from app.flow.requests import once
from app.graph.queries import ingest as q
from app.payloads.ingest import EndIn, Ingested, VersionIn
from app.ports import Clock, Store, Tx

_TX_GIVEN: Final = "the stated tx was ahead of the clock; this one was given"


@dataclass(frozen=True, slots=True)
class Source:
    """A source under its lock: names, counters, and the instant that this write gets (µs)."""

    tenant: str
    source_id: str
    tiles_seq: int
    last_tx: int
    recorded_at: int

    @property
    def key(self) -> str:
        """The source's key in the graph."""
        return source_key(self.tenant, self.source_id)


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


def lock_source(tx: Tx, tenant: str, source_id: str, *, now: int, create: bool) -> Source:
    """Lock a source and return it; raise ``NotFound`` ``SOURCE_UNKNOWN`` unless it may be new."""
    key = source_key(tenant, source_id)
    token = derived_id("lock", key, now)
    if create:
        rows = tx.run(
            q.LOCK_SOURCE, tenant=tenant, source_id=source_id, source_key=key, token=token
        )
    else:
        rows = tx.run(q.LOCK_KNOWN_SOURCE, source_key=key, token=token)
    if not rows:
        raise NotFound(
            "SOURCE_UNKNOWN", f"no source {source_id!r} in this tenant", field="sourceId"
        )
    counters = rows[0]
    return Source(
        tenant,
        source_id,
        counters.tiles_seq,
        counters.last_tx,
        max(now, counters.last_recorded_at + 1),
    )


def take_arrivals(
    tx: Tx, source: Source, arrivals: Sequence[Arrival]
) -> list[tuple[Outcome, Stored]]:
    """Take statements of a locked source in order: write them, cut their tiles, note one change."""
    chain = Chain(_neighbours(tx, source.key, [arrival.statement for arrival in arrivals]))
    taken = []
    for arrival in arrivals:
        _know_family(tx, source.key, chain, arrival.statement)
        taken.append(chain.take(arrival.statement))
    write_edits(
        tx,
        source,
        chain.edits(),
        texts={arrival.statement.tx: arrival.text for arrival in arrivals},
        origins={arrival.statement.tx: arrival.origin for arrival in arrivals},
    )
    recut_source(tx, source.key, list(chain.shifts()), now=source.recorded_at)
    last_tx = max([source.last_tx, *(arrival.statement.tx for arrival in arrivals)])
    if any(outcome is Outcome.STORED for outcome, _ in taken):
        stated = max(stored.tx for outcome, stored in taken if outcome is Outcome.STORED)
        what = "version" if len(taken) == 1 else "versions"
        count_change(tx, source, what=what, statement_tx=stated, last_tx=last_tx)
    elif last_tx > source.last_tx:
        tx.run(q.COUNT_OBSERVATION, source_key=source.key, last_tx=last_tx)
    return taken


def count_change(
    tx: Tx, source: Source, *, what: str, statement_tx: int | None, last_tx: int
) -> None:
    """Raise the seq of a locked source and write the one change that stands for it."""
    tx.run(
        q.COUNT_CHANGE,
        source_key=source.key,
        change_id=derived_id("change", source.key, source.tiles_seq + 1),
        what=what,
        tx=statement_tx,
        last_tx=last_tx,
        recorded_at=source.recorded_at,
    )


def write_edits(
    tx: Tx,
    source: Source,
    edits: Sequence[Edit],
    *,
    texts: Mapping[int, str | None] = MappingProxyType({}),
    origins: Mapping[int, str | None] = MappingProxyType({}),
) -> None:
    """Write new versions, with their texts by tx, into the chain, and what moved on older ones."""
    new = [
        _new_version(edit.after) | {"text": texts.get(tx_), "origin": origins.get(tx_)}
        for edit in edits
        if edit.before is None
        for tx_ in [edit.after.tx]
    ]
    moved = [_moved_version(edit.after) for edit in edits if edit.before]
    shared = {"source_key": source.key, "recorded_at": source.recorded_at}
    if new:
        tx.run(q.CREATE_VERSIONS, **shared, versions=new)
        tx.run(q.LINK_VERSIONS, source_key=source.key, txs=[version["tx"] for version in new])
    if moved:
        tx.run(q.UPDATE_VERSIONS, **shared, versions=moved)


def known_family(tx: Tx, source_key: str, version_tx: int) -> list[Stored]:
    """Read the version at a tx with all that corrections tie to it; empty where there is none."""
    return [
        as_stored(row) for row in tx.run(q.READ_FAMILY, source_key=source_key, txs=[version_tx])
    ]


def as_stored(row: q.VersionRow) -> Stored:
    """Return a version as the core knows it."""
    return Stored(
        tx=row.tx,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        valid_from_rule=FromRule(row.valid_from_rule),
        text_sha256=row.text_sha256,
        corrects_tx=row.corrects_tx,
        override_only=row.override_only,
        competes=row.competes,
        observed_at=row.observed_at,
        observed_from=row.observed_from,
        removal=Removal(row.removal) if row.removal else None,
    )


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
            source = lock_source(tx, payload.tenant, payload.source_id, now=now, create=True)
            given = given_tx(payload.tx, clock=now, last=source.last_tx)
            [(outcome, stored)] = take_arrivals(tx, source, [arrive(given)])
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


def _neighbours(tx: Tx, source_key: str, statements: Sequence[Statement]) -> list[Stored]:
    arriving = [
        {
            "tx": s.tx,
            "valid_from": s.valid_from,
            "valid_to": s.stated_to,
            "text_sha256": s.text_sha256,
        }
        for s in statements
    ]
    return [
        as_stored(row)
        for row in tx.run(q.READ_NEIGHBOURS, source_key=source_key, arriving=arriving)
    ]


def _know_family(tx: Tx, source_key: str, chain: Chain, statement: Statement) -> None:
    """Load what a correction ties together, for the one that is named or may be meant."""
    meant = statement.corrects
    if meant is None and statement.valid_from is not None:
        meant = chain.newest_from(statement.valid_from)
    if meant is not None and not chain.arrived(meant):
        chain.know(known_family(tx, source_key, meant))


def _new_version(stored: Stored) -> dict[str, object]:
    return {
        "tx": stored.tx,
        "valid_from": stored.valid_from,
        "valid_to": stored.valid_to,
        "valid_from_rule": stored.valid_from_rule,
        "text_sha256": stored.text_sha256,
        "ends": stored.ends,
        "corrects_tx": stored.corrects_tx,
        "override_only": stored.override_only,
        "competes": stored.competes,
        "observed_at": stored.observed_at,
        "observed_from": stored.observed_from,
        "removal": stored.removal,
        "copy_of": stored.copy_of,
    }


def _moved_version(stored: Stored) -> dict[str, object]:
    return {
        "tx": stored.tx,
        "competes": stored.competes,
        "observed_at": stored.observed_at,
        "observed_from": stored.observed_from,
        "removal": stored.removal,
    }
