"""States, statuses and causes: the closed vocabularies of a re-check (seed §3.4, §3.5, §5)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ClaimState(StrEnum):
    """What a re-check decided about one claim."""

    OK = "ok"
    AFFECTED = "affected"
    PENDING = "pending"
    CONFLICTED = "conflicted"
    INVALIDATED = "invalidated"


class Status(StrEnum):
    """The status of an answer: a fold over its claims, but for ``SUPERSEDED``."""

    CURRENT = "current"
    PARTIALLY_STALE = "partially_stale"
    STALE = "stale"
    PENDING = "pending"
    CONFLICTED = "conflicted"
    INVALIDATED = "invalidated"
    SUPERSEDED = "superseded"


class Severity(StrEnum):
    """How much a contradiction matters; an axis of its own that never moves a status."""

    MATERIAL = "material"


class CauseKind(StrEnum):
    """Why a claim is not ok, in words that an owner understands."""

    TOMBSTONED = "tombstoned"
    NEWER_VERSION = "newer_version"
    CORRECTED = "corrected"
    OVERRIDDEN = "overridden"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    SOURCE_ENDED = "source_ended"
    WINNER_REMOVED = "winner_removed"
    CLARIFICATION_OPEN = "clarification_open"
    CLARIFICATION_CONFLICTED = "clarification_conflicted"
    CLARIFICATION_BOUND = "clarification_bound"


class Caveat(StrEnum):
    """What a reader must know although it moves no state."""

    NO_CLAIMS = "no_claims"
    NO_EVIDENCE = "no_evidence"
    JUDGED_AS_OF = "judged_as_of"
    CLARIFICATION_OPEN = "clarification_open"
    NEWER_UNDER_OVERRIDE = "newer_under_override"
    VERIFICATION_UNAVAILABLE = "verification:unavailable"
    VERIFICATION_OFF = "verification:off"


WORST_FIRST: Final = (
    ClaimState.INVALIDATED,
    ClaimState.CONFLICTED,
    ClaimState.PENDING,
    ClaimState.AFFECTED,
    ClaimState.OK,
)
STATUS_WORST_FIRST: Final = (
    Status.SUPERSEDED,
    Status.INVALIDATED,
    Status.CONFLICTED,
    Status.PENDING,
    Status.STALE,
    Status.PARTIALLY_STALE,
    Status.CURRENT,
)


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason why a claim is not ok.

    For a citation: the source, the cited version's ``tx`` (µs), its span in code points and the tx
    of the version that wins instead (``None`` where none does). For a clarification: its id, and
    the tx of the version that its binding chose, if any, as ``winning_tx``.
    """

    kind: CauseKind
    state: ClaimState
    source_id: str
    clarification_id: str | None = None
    cited_tx: int | None = None
    start: int | None = None
    end: int | None = None
    winning_tx: int | None = None

    @property
    def target(self) -> tuple[str, str]:
        """What the answer watches and this came from: ``("clarification" | "source", id)``."""
        if self.clarification_id is not None:
            return "clarification", self.clarification_id
        return "source", self.source_id


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """The stored result of a claim's check (seed §5 ``claims_json``).

    ``fire_id`` names the fire that led to the state, ``last_change_tx`` the tx (µs) of the version
    that displaced the citation; both ``None`` where no change did (a first check, the clock).
    """

    idx: int
    verdict_at_save: str
    state: ClaimState = ClaimState.OK
    severity: Severity | None = None
    causes: tuple[Cause, ...] = ()
    caveats: tuple[str, ...] = ()
    last_change_tx: int | None = None
    fire_id: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerState:
    """All of an answer that a re-check can change."""

    status: Status
    severity: Severity | None
    claims: tuple[ClaimCheck, ...]
    caveats: tuple[str, ...] = ()
