"""Tombstone: one version is withdrawn, or all versions of a source in cascade, for good."""

from app.core.chain import Chain
from app.core.errors import NotFound
from app.core.statements import Removal
from app.core.winner import Binding
from app.flow.recut import Shift, recut_sources
from app.flow.requests import once
from app.flow.steward import log_source_event
from app.flow.versions import (
    Edits,
    Raise,
    Source,
    count_changes,
    known_family,
    lock_source,
    write_edits,
)
from app.graph.queries import ingest as q
from app.payloads.ingest import CascadeIn, Removed, WithdrawIn
from app.ports import Clock, Store, Tx


def withdraw_version(store: Store, clock: Clock, withdraw: WithdrawIn) -> Removed:
    """Tombstone one version or end, so that the next candidate wins (DESIGN §4).

    Raises ``NotFound`` ``SOURCE_UNKNOWN`` or ``VERSION_UNKNOWN``. Doing it twice is doing it once.
    """
    now = clock.now()

    def work(tx: Tx) -> Removed:
        def act() -> Removed:
            source = lock_source(tx, withdraw.tenant, withdraw.source_id, now=now)
            return _withdraw(tx, source, withdraw)

        return once(tx, "withdraw_version", withdraw, Removed, act, now=now)

    return store.write(work)


def cascade_source(store: Store, clock: Clock, cascade: CascadeIn) -> Removed:
    """Tombstone all versions of a source; a later version starts afresh, a replay lifts none.

    Raises ``NotFound`` ``SOURCE_UNKNOWN``.
    """
    now = clock.now()

    def work(tx: Tx) -> Removed:
        def act() -> Removed:
            source = lock_source(tx, cascade.tenant, cascade.source_id, now=now)
            return _cascade(tx, source, cascade)

        return once(tx, "cascade_source", cascade, Removed, act, now=now)

    return store.write(work)


def _withdraw(tx: Tx, source: Source, withdraw: WithdrawIn) -> Removed:
    family = known_family(tx, source.key, withdraw.tx)
    if not family:
        raise NotFound(
            "VERSION_UNKNOWN", f"this source has no version at {withdraw.tx}", field="tx"
        )
    chain = Chain(family)
    if not chain.remove(withdraw.tx, Removal.WITHDRAWN):
        return Removed(source_id=source.source_id, tombstoned=0)
    write_edits(tx, [Edits(source, chain.edits())])
    tx.run(q.NOTE_REASON, source_key=source.key, tx=withdraw.tx, reason=withdraw.reason)
    rows = tx.run(q.READ_BINDINGS_OF, source_key=source.key, bound_tx=withdraw.tx)
    bindings = [Binding(row.tx, row.bound_tx, row.valid_from, row.valid_to) for row in rows]
    recut_sources(tx, [Shift(source, list(chain.shifts()), bindings)])
    count_changes(tx, [Raise(source, "withdraw", withdraw.tx, source.last_tx)])
    log_source_event(tx, source, "source.withdraw", withdraw.actor, [str(withdraw.tx)])
    return Removed(source_id=source.source_id, tombstoned=1)


def _cascade(tx: Tx, source: Source, cascade: CascadeIn) -> Removed:
    [done] = tx.run(
        q.CASCADE_VERSIONS,
        source_key=source.key,
        recorded_at=source.recorded_at,
        reason=cascade.reason,
    )
    if done.tombstoned:
        count_changes(tx, [Raise(source, "cascade", None, source.last_tx)])
        log_source_event(tx, source, "source.cascade", cascade.actor, [str(done.tombstoned)])
    return Removed(source_id=source.source_id, tombstoned=done.tombstoned)
