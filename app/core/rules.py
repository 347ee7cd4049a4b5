"""The re-check rules: from what the graph says of a claim to its state (seed §3.4, DESIGN §5).

Rules 1 to 3 are structural. Rule 4 asks a verifier whether an affected claim still holds; its
verdict arrives here as data.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.core.fold import worst
from app.core.states import Cause, CauseKind, Caveat, ClaimCheck, ClaimState, Severity


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited version that lost: tombstoned, or not the winner at the claim's instant (µs).

    ``winning_*`` describe the winner (``None`` where no version wins), ``blank_ends`` says whether
    an end is what ranks first instead.
    """

    source_id: str
    cited_tx: int
    start: int
    end: int
    at: int
    tombstoned: bool
    cited_from: int
    cited_to: int
    cited_competes: bool
    winning_tx: int | None
    winning_from: int | None
    winning_corrects: int | None
    overridden: bool
    blank_ends: bool


class ClarificationPhase(StrEnum):
    """Where a clarification stands; it may be opened again after any of the others."""

    OPEN = "open"
    BOUND = "bound"
    CONFLICTED = "conflicted"
    WITHDRAWN = "withdrawn"


_CLARIFIED: Final = {
    ClarificationPhase.OPEN: (CauseKind.CLARIFICATION_OPEN, ClaimState.PENDING),
    ClarificationPhase.CONFLICTED: (CauseKind.CLARIFICATION_CONFLICTED, ClaimState.CONFLICTED),
    ClarificationPhase.BOUND: (CauseKind.CLARIFICATION_BOUND, ClaimState.AFFECTED),
    ClarificationPhase.WITHDRAWN: None,
}


@dataclass(frozen=True, slots=True)
class Pending:
    """A clarification that the trace recorded as pending for a claim, as it stands now."""

    clarification_id: str
    source_id: str
    phase: ClarificationPhase
    bound_tx: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """What a check reads of a claim: its verdict at save and the facts for rules 1 to 3."""

    idx: int
    verdict: str
    lost: tuple[Citation, ...] = ()
    pending: tuple[Pending, ...] = ()
    caveats: tuple[str, ...] = ()


class Verdict(StrEnum):
    """What the verifier says of an affected claim against the current winning spans.

    ``UNAVAILABLE``: no model is configured. ``FAILED``: one is, and gave no answer; it is asked
    again soon. ``OFF``: the setting does not want it asked.
    """

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Verification:
    """A verdict of rule 4; ``material`` when the numeric gate fired."""

    verdict: Verdict
    material: bool = False


def structural(claim: Claim) -> ClaimCheck:
    """Return the claim's state by rules 1 to 3: the worst of its causes, all of which are kept."""
    causes = tuple(
        sorted(
            [_displaced(lost) for lost in claim.lost]
            + [cause for pending in claim.pending if (cause := _clarified(pending))],
            key=_place,
        )
    )
    return ClaimCheck(
        idx=claim.idx,
        verdict_at_save=claim.verdict,
        state=worst(cause.state for cause in causes),
        causes=causes,
        caveats=tuple(sorted(claim.caveats)),
    )


def verified(check: ClaimCheck, verification: Verification) -> ClaimCheck:
    """Return an affected claim after rule 4: cleared only by ``supported``, never by silence."""
    if check.state is not ClaimState.AFFECTED:
        return check
    caveats, cleared, severity = set(check.caveats), False, None
    match verification.verdict:
        case Verdict.SUPPORTED:
            cleared = True
        case Verdict.UNAVAILABLE | Verdict.FAILED:
            caveats.add(Caveat.VERIFICATION_UNAVAILABLE)
        case Verdict.OFF:
            caveats.add(Caveat.VERIFICATION_OFF)
        case Verdict.PARTIAL | Verdict.UNSUPPORTED:
            severity = Severity.MATERIAL if verification.material else None
    return ClaimCheck(
        idx=check.idx,
        verdict_at_save=check.verdict_at_save,
        state=ClaimState.OK if cleared else check.state,
        severity=severity,
        causes=() if cleared else check.causes,
        caveats=tuple(sorted(caveats)),
    )


def _place(cause: Cause) -> tuple[str, str, int, int, int]:
    """Return what orders causes, whatever order they were read in."""
    clarification, tx = cause.clarification_id or "", cause.cited_tx or 0
    return cause.source_id, clarification, tx, cause.start or 0, cause.end or 0


def _displaced(lost: Citation) -> Cause:
    return Cause(
        kind=CauseKind.TOMBSTONED if lost.tombstoned else _why_displaced(lost),
        state=ClaimState.INVALIDATED if lost.tombstoned else ClaimState.AFFECTED,
        source_id=lost.source_id,
        cited_tx=lost.cited_tx,
        start=lost.start,
        end=lost.end,
        winning_tx=lost.winning_tx,
    )


def _why_displaced(lost: Citation) -> CauseKind:
    """Say why a citation lost; a window that ran out comes before what filled its place."""
    if lost.winning_corrects == lost.cited_tx:
        return CauseKind.CORRECTED
    if lost.cited_to <= lost.at:
        return CauseKind.EXPIRED
    if lost.cited_from > lost.at:
        return CauseKind.NOT_YET_VALID
    if lost.overridden:
        return CauseKind.OVERRIDDEN
    if lost.winning_tx is None or lost.winning_from is None:
        return _why_nobody_wins(lost)
    later = (lost.winning_from, lost.winning_tx) > (lost.cited_from, lost.cited_tx)
    return CauseKind.NEWER_VERSION if later else CauseKind.CORRECTED


def _why_nobody_wins(lost: Citation) -> CauseKind:
    if lost.blank_ends:
        return CauseKind.SOURCE_ENDED
    return CauseKind.WINNER_REMOVED if lost.cited_competes else CauseKind.CORRECTED


def _clarified(pending: Pending) -> Cause | None:
    found = _CLARIFIED[pending.phase]
    if found is None:
        return None
    kind, state = found
    return Cause(
        kind=kind,
        state=state,
        source_id=pending.source_id,
        clarification_id=pending.clarification_id,
        winning_tx=pending.bound_tx,
    )
