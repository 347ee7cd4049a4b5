"""Results about jobs."""

from app.payloads.base import Payload


class JobView(Payload):
    """A job as people see it; ``created_at`` in µs. ``ids`` and ``changes`` only where shown whole."""

    job_id: str
    kind: str
    why: str | None
    state: str
    answers: int
    attempts: int
    reason: str | None
    created_at: int
    ids: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


class Relayed(Payload):
    """What one pass of the relay did."""

    changes: int = 0
    jobs: int = 0
    due: int = 0
    emitted: int = 0
    suppressed: int = 0
