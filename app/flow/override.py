"""Override: a steward decides which version wins over a window, and may release it again."""

from app.core.chain import Chain, Edit
from app.core.errors import Conflict, Invalid, NotFound
from app.core.instants import FOREVER, bound
from app.core.statements import checked_window, given_tx
from app.core.values import derived_id, sha256
from app.core.winner import Binding
from app.flow.recut import Shift, recut_sources
from app.flow.requests import once
from app.flow.steward import log_source_event
from app.flow.versions import (
    Edits,
    Raise,
    Source,
    as_stored,
    count_changes,
    lock_source,
    write_edits,
)
from app.graph.queries import ingest as q
from app.payloads.ingest import Overridden, OverrideIn, ReleaseIn
from app.ports import Clock, Store, Tx


def set_override(store: Store, clock: Clock, override: OverrideIn) -> Overridden:
    """Let the bound version, or the override's own text, win over its window (DESIGN §4).

    Raises ``NotFound`` ``SOURCE_UNKNOWN`` or ``VERSION_UNKNOWN``, ``Invalid`` ``NOT_BINDABLE``,
    ``TX_IN_FUTURE`` or ``WINDOW_EMPTY``, ``Conflict`` ``TX_CONFLICT``.
    """
    now = clock.now()

    def work(tx: Tx) -> Overridden:
        def act() -> Overridden:
            source = lock_source(tx, override.tenant, override.source_id, now=now)
            given = given_tx(override.tx, clock=now, last=source.last_tx)
            standing = tx.run(q.READ_OVERRIDE, source_key=source.key, tx=given)
            if standing:
                return _repeated(source, override, standing[0])
            return _create(tx, source, override, given)

        return once(tx, "set_override", override, Overridden, act, now=now)

    return store.write(work)


def release_override(store: Store, clock: Clock, release: ReleaseIn) -> Overridden:
    """Release an override for good; raise ``NotFound`` ``OVERRIDE_UNKNOWN``."""
    now = clock.now()

    def work(tx: Tx) -> Overridden:
        return once(
            tx, "release_override", release, Overridden, lambda: _release(tx, release, now), now=now
        )

    return store.write(work)


def _create(tx: Tx, source: Source, override: OverrideIn, given: int) -> Overridden:
    neighbour = {"source_key": source.key, "tx": given, "valid_from": None, "text_sha256": None}
    near = tx.run(q.READ_NEIGHBOURS, arriving=[neighbour])
    if any(row.tx == given for row in near):
        raise Conflict("TX_CONFLICT", f"tx {given} is taken by a version", field="tx")
    if override.bind is None:
        chain = Chain(as_stored(row) for row in near)
        start, end = _window(override, given, FOREVER)
        own = chain.take_own_text(given, sha256(override.text or ""), start, end)
        write_edits(tx, [Edits(source, [Edit(None, own)], {given: override.text})])
        binding = Binding(given, given, start, end)
    else:
        start, end = _window(override, *_bindable(tx, source, override.bind))
        binding = Binding(given, override.bind, start, end)
    made = Overridden(
        override_id=derived_id("override", source.key, given),
        source_id=source.source_id,
        tx=given,
        bound_tx=binding.bound_tx,
        valid_from=binding.valid_from,
        valid_to=bound(binding.valid_to),
        released=False,
        changed=True,
    )
    tx.run(
        q.CREATE_OVERRIDE,
        source_key=source.key,
        override_id=made.override_id,
        tx=given,
        bound_tx=made.bound_tx,
        valid_from=made.valid_from,
        valid_to=binding.valid_to,
        recorded_at=source.recorded_at,
        reason=override.reason,
        created_by=override.actor,
    )
    _settle(tx, source, binding, "override", given, override.actor)
    return made


def _release(tx: Tx, release: ReleaseIn, now: int) -> Overridden:
    found = tx.run(q.FIND_OVERRIDE, tenant=release.tenant, override_id=release.override_id)
    if not found:
        raise NotFound("OVERRIDE_UNKNOWN", "no such override in this tenant", field="overrideId")
    source = lock_source(tx, release.tenant, found[0].source_id, now=now)
    [held] = tx.run(q.FIND_OVERRIDE, tenant=release.tenant, override_id=release.override_id)
    if held.released_at is None:
        tx.run(
            q.RELEASE_OVERRIDE,
            tenant=release.tenant,
            override_id=release.override_id,
            recorded_at=source.recorded_at,
            released_by=release.actor,
        )
        binding = Binding(held.tx, held.bound_tx, held.valid_from, held.valid_to)
        _settle(tx, source, binding, "release", held.tx, release.actor)
    return Overridden(
        override_id=release.override_id,
        source_id=source.source_id,
        tx=held.tx,
        bound_tx=held.bound_tx,
        valid_from=held.valid_from,
        valid_to=bound(held.valid_to),
        released=True,
        changed=held.released_at is None,
    )


def _settle(
    tx: Tx, source: Source, binding: Binding, what: str, statement_tx: int, actor: str | None
) -> None:
    recut_sources(tx, [Shift(source, [], [binding])])
    last_tx = max(source.last_tx, statement_tx)
    count_changes(tx, [Raise(source, what, statement_tx, last_tx)])
    log_source_event(tx, source, f"source.{what}", actor, [str(statement_tx)])


def _window(override: OverrideIn, default_from: int, default_to: int) -> tuple[int, int]:
    start = default_from if override.valid_from is None else override.valid_from
    end = default_to if override.valid_from is None else FOREVER
    return checked_window(start, end if override.valid_to is None else override.valid_to)


def _bindable(tx: Tx, source: Source, version_tx: int) -> tuple[int, int]:
    """Return the window of the version to bind; refuse what can never win."""
    rows = tx.run(q.READ_BINDABLE, source_key=source.key, tx=version_tx)
    if not rows:
        raise NotFound(
            "VERSION_UNKNOWN", f"this source has no version at {version_tx}", field="bind"
        )
    if rows[0].ends or rows[0].removal is not None:
        why = "is an end" if rows[0].ends else "is tombstoned"
        raise Invalid("NOT_BINDABLE", f"the version at {version_tx} {why}", field="bind")
    return rows[0].valid_from, rows[0].valid_to


def _repeated(source: Source, override: OverrideIn, held: q.OverrideRow) -> Overridden:
    own = sha256(override.text) if override.text is not None else None
    stated = (
        (override.bind, held.bound_tx),
        (override.valid_from, held.valid_from),
        (override.valid_to, held.valid_to),
    )
    if own != held.own_sha256 or any(said is not None and said != has for said, has in stated):
        raise Conflict(
            "TX_CONFLICT", f"tx {held.tx} is taken by another override; nothing changed", field="tx"
        )
    return Overridden(
        override_id=held.override_id,
        source_id=source.source_id,
        tx=held.tx,
        bound_tx=held.bound_tx,
        valid_from=held.valid_from,
        valid_to=bound(held.valid_to),
        released=held.released_at is not None,
        changed=False,
    )
