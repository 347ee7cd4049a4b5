"""The fold: claim states to one status, pure and total (seed §3.5)."""

from collections.abc import Iterable, Sequence

from app.core.states import (
    WORST_FIRST,
    AnswerState,
    Caveat,
    ClaimCheck,
    ClaimState,
    Severity,
    Status,
)


def known_state(name: str) -> ClaimState:
    """Return the claim state called ``name``; one that this code does not know fails closed."""
    try:
        return ClaimState(name)
    except ValueError:
        return ClaimState.AFFECTED


def worst(states: Iterable[ClaimState]) -> ClaimState:
    """Return the worst of ``states``, ``ok`` where there is none."""
    return min(states, key=WORST_FIRST.index, default=ClaimState.OK)


def fold(states: Sequence[ClaimState]) -> Status:
    """Return the status that ``states`` give; no claims fold to ``current``, never to ``stale``."""
    for state, status in (
        (ClaimState.INVALIDATED, Status.INVALIDATED),
        (ClaimState.CONFLICTED, Status.CONFLICTED),
        (ClaimState.PENDING, Status.PENDING),
    ):
        if state in states:
            return status
    affected = sum(state is ClaimState.AFFECTED for state in states)
    if affected == 0:
        return Status.CURRENT
    return Status.STALE if affected == len(states) else Status.PARTIALLY_STALE


def folded(claims: Sequence[ClaimCheck]) -> AnswerState:
    """Return the state of an answer with these claims; severity is the maximum over them."""
    severities = {claim.severity for claim in claims}
    return AnswerState(
        status=fold([claim.state for claim in claims]),
        severity=Severity.MATERIAL if Severity.MATERIAL in severities else None,
        claims=tuple(claims),
        caveats=() if claims else (Caveat.NO_CLAIMS,),
    )
