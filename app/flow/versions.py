"""Versions: locked sources, and what one transaction writes into their chains (DESIGN §3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain as joined

from app.core.chain import Edit
from app.core.errors import NotFound
from app.core.statements import FromRule, Removal, Stored
from app.core.values import derived_id, source_key
from app.graph.queries import ingest as q
from app.ports import Tx


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

    @property
    def is_new(self) -> bool:
        """Whether nothing of it was stored before this write."""
        return self.tiles_seq == 0


@dataclass(frozen=True, slots=True)
class Edits:
    """What to write into the chain of one source; texts and origins of new versions by tx."""

    source: Source
    edits: Sequence[Edit]
    texts: Mapping[int, str | None] = field(default_factory=dict)
    origins: Mapping[int, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raise:
    """A raise of a source's seq: what moved, at which tx, and the newest tx from now on (µs)."""

    source: Source
    what: str
    statement_tx: int | None
    last_tx: int


def lock_source(tx: Tx, tenant: str, source_id: str, *, now: int) -> Source:
    """Lock a source that must exist; raise ``NotFound`` ``SOURCE_UNKNOWN``."""
    key = source_key(tenant, source_id)
    token = derived_id("lock", key, now)
    rows = tx.run(q.LOCK_KNOWN_SOURCE, source_key=key, token=token)
    if not rows:
        raise NotFound(
            "SOURCE_UNKNOWN", f"no source {source_id!r} in this tenant", field="sourceId"
        )
    return _locked(tenant, source_id, rows[0], now)


def lock_sources(tx: Tx, tenant: str, source_ids: Iterable[str], *, now: int) -> dict[str, Source]:
    """Lock sources in the order of their ids, each created where it is new; return them by id."""
    ids = sorted(set(source_ids))
    rows = [{"source_id": each, "source_key": source_key(tenant, each)} for each in ids]
    token = derived_id("lock", tenant, ids[0], now)
    found = tx.run(q.LOCK_SOURCES, tenant=tenant, rows=rows, token=token)
    counters = {row.source_key: row for row in found}
    return {each: _locked(tenant, each, counters[source_key(tenant, each)], now) for each in ids}


def count_changes(tx: Tx, raises: Sequence[Raise]) -> None:
    """Raise the seqs of locked sources and write for each the one change that stands for it."""
    rows = [
        {
            "source_key": each.source.key,
            "change_id": derived_id("change", each.source.key, each.source.tiles_seq + 1),
            "what": each.what,
            "tx": each.statement_tx,
            "last_tx": each.last_tx,
            "recorded_at": each.source.recorded_at,
        }
        for each in raises
    ]
    if rows:
        tx.run(q.COUNT_CHANGES, rows=rows)


def write_edits(tx: Tx, written: Sequence[Edits]) -> None:
    """Write new versions into their chains, and what moved on older ones."""
    new = list(joined.from_iterable(map(_new_rows, written)))
    moved = list(joined.from_iterable(map(_moved_rows, written)))
    if new:
        tx.run(q.CREATE_VERSIONS, rows=new)
        _link(tx, written)
    if moved:
        tx.run(q.UPDATE_VERSIONS, rows=moved)


def _link(tx: Tx, written: Sequence[Edits]) -> None:
    """Put new versions into chains, those of a new source as a whole one, and tie corrections."""
    begun, added, corrected = [], [], []
    for each in written:
        new = [edit.after for edit in each.edits if edit.before is None]
        if each.source.is_new:
            begun.append({"source_key": each.source.key, "txs": [stored.tx for stored in new]})
        else:
            added += [{"source_key": each.source.key, "tx": stored.tx} for stored in new]
        corrected += [
            {"source_key": each.source.key, "tx": stored.tx, "corrects_tx": stored.corrects_tx}
            for stored in new
            if stored.corrects_tx is not None
        ]
    for query, rows in (
        (q.BEGIN_CHAINS, begun),
        (q.LINK_VERSIONS, added),
        (q.LINK_CORRECTIONS, corrected),
    ):
        if rows:
            tx.run(query, rows=rows)


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


def _locked(tenant: str, source_id: str, counters: q.Counters, now: int) -> Source:
    return Source(
        tenant,
        source_id,
        counters.tiles_seq,
        counters.last_tx,
        max(now, counters.last_recorded_at + 1),
    )


def _new_rows(written: Edits) -> list[dict[str, object]]:
    return [
        _moved_row(written.source, stored)
        | {
            "valid_from": stored.valid_from,
            "valid_to": stored.valid_to,
            "valid_from_rule": stored.valid_from_rule,
            "text": written.texts.get(stored.tx),
            "text_sha256": stored.text_sha256,
            "ends": stored.ends,
            "corrects_tx": stored.corrects_tx,
            "override_only": stored.override_only,
            "copy_of": stored.copy_of,
            "origin": written.origins.get(stored.tx),
        }
        for stored in (edit.after for edit in written.edits if edit.before is None)
    ]


def _moved_rows(written: Edits) -> list[dict[str, object]]:
    return [_moved_row(written.source, edit.after) for edit in written.edits if edit.before]


def _moved_row(source: Source, stored: Stored) -> dict[str, object]:
    return {
        "source_key": source.key,
        "recorded_at": source.recorded_at,
        "tx": stored.tx,
        "competes": stored.competes,
        "observed_at": stored.observed_at,
        "observed_from": stored.observed_from,
        "removal": stored.removal,
    }
