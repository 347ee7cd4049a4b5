"""Results about jobs."""

from app.core.states import Severity, Status
from app.core.transitions import Direction
from app.payloads.base import Payload


class JobView(Payload):
    """A job as people see it; ``created_at`` in µs, ``ids`` and ``changes`` where shown whole."""

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


class Progress(Payload):
    """What a tenant still has to do. Quiet when all but ``parked_jobs`` are zero."""

    open_changes: int
    open_jobs: int
    parked_jobs: int
    open_windows: int
    due_answers: int
    oldest_change_at: int | None

    @property
    def settled(self) -> bool:
        """Whether every stored change has led to its checks; windows may still be open."""
        return not (self.open_changes or self.open_jobs or self.due_answers)

    @property
    def quiet(self) -> bool:
        """Whether nothing is left to do until the next change or due time."""
        return self.settled and not self.open_windows


class Event(Payload):
    """An ``answer_stale`` event as it leaves: the net transition of one window (seed §3.7)."""

    event_id: str
    answer_id: str
    number: int
    from_status: Status
    to_status: Status
    changed_claims: tuple[int, ...]
    severity: Severity | None
    direction: Direction
    flapping: bool
    first_check: bool
    closed_at: int
