"""What stewards do to sources is logged: one audit event for each act, in its transaction."""

from collections.abc import Sequence

from app.core.values import derived_id
from app.flow.versions import Source
from app.graph.queries import request as q
from app.ports import Tx


def log_source_event(
    tx: Tx, source: Source, kind: str, actor: str | None, outcomes: Sequence[str]
) -> None:
    """Log an act on a locked source, under an id that a replay repeats."""
    tx.run(
        q.LOG_SOURCE_EVENT,
        tenant=source.tenant,
        event_id=derived_id("event", kind, source.key, source.recorded_at),
        kind=kind,
        at=source.recorded_at,
        actor=actor,
        source_key=source.key,
        outcomes=list(outcomes),
    )
