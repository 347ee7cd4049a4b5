"""Sources: which version wins at an instant, as known now or as it was recorded by another."""

from dataclasses import asdict

from app.core.errors import NotFound
from app.core.instants import LATEST, bound
from app.core.values import source_key
from app.graph.queries import ingest as i
from app.graph.queries import sources as q
from app.payloads.sources import SourceVersionView
from app.ports import Store


def read_winner(
    store: Store, tenant: str, source_id: str, *, at: int, known_at: int | None = None
) -> SourceVersionView:
    """Return the version that wins at ``at``, as recorded by ``known_at`` (µs; ``None``: now).

    Raises ``NotFound`` ``NO_WINNER`` where no version wins, or the tenant has no such source.
    """
    key = source_key(tenant, source_id)
    if known_at is None:
        rows = store.read(i.READ_WINNER, source_key=key, at=at)
    else:
        rows = store.read(i.READ_WINNER_KNOWN_AT, source_key=key, at=at, known_at=known_at)
    if not rows:
        raise NotFound(
            "NO_WINNER", f"no version of {source_id!r} wins at that time", field="sourceId"
        )
    return read_version(store, tenant, source_id, rows[0].tx)


def read_version(store: Store, tenant: str, source_id: str, tx: int) -> SourceVersionView:
    """Return one version whole; raise ``NotFound`` ``VERSION_UNKNOWN``."""
    rows = store.read(q.READ_VERSION, source_key=source_key(tenant, source_id), tx=tx)
    if not rows:
        raise NotFound("VERSION_UNKNOWN", f"no version {tx} of {source_id!r}", field="tx")
    return _view(rows[0])


def list_versions(
    store: Store, tenant: str, source_id: str, *, known_at: int | None = None, page: int = 100
) -> list[SourceVersionView]:
    """Return up to ``page`` versions of a source without their texts, the newest first."""
    rows = store.read(
        q.LIST_VERSIONS,
        source_key=source_key(tenant, source_id),
        known_at=LATEST if known_at is None else known_at,
        page=page,
    )
    return [_view(row) for row in rows]


def _view(row: q.VersionDetail) -> SourceVersionView:
    return SourceVersionView.model_validate(asdict(row) | {"valid_to": bound(row.valid_to)})
