"""Transitions: what changed between two states of an answer, and whether its owner must hear it.

DESIGN §6.3: a transition is a change of status or, at equal status, a claim newly not ok, a new
cause or displacing version of one that already was, or severity rising.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from app.core.states import (
    STATUS_WORST_FIRST,
    WORST_FIRST,
    AnswerState,
    ClaimCheck,
    ClaimState,
    Severity,
    Status,
)


class Direction(StrEnum):
    """Which way a status moved."""

    WORSENING = "worsening"
    IMPROVING = "improving"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Transition:
    """A net change from one state to another; ``changed_claims`` are claim indexes, ascending."""

    from_status: Status
    to_status: Status
    changed_claims: tuple[int, ...]
    severity: Severity | None
    direction: Direction


def same_state(old: AnswerState, new: AnswerState) -> bool:
    """Whether ``new`` says nothing that ``old`` did not; which fire led to it does not count."""
    return replace(old, claims=_bare(old)) == replace(new, claims=_bare(new))


def transition(old: AnswerState, new: AnswerState) -> Transition | None:
    """Return the transition from ``old`` to ``new``; ``None`` where the owner learns nothing."""
    pairs = _pairs(old, new)
    if old.status is not new.status:
        changed = [after.idx for before, after in pairs if _differs(before, after)]
    else:
        changed = [after.idx for before, after in pairs if _worse(before, after)]
        if not changed:
            return None
    return Transition(
        from_status=old.status,
        to_status=new.status,
        changed_claims=tuple(sorted(changed)),
        severity=new.severity,
        direction=direction(old.status, new.status),
    )


def direction(old: Status, new: Status) -> Direction:
    """Return which way the status moved, by the precedence of seed §3.5."""
    if old is new:
        return Direction.SAME
    worse = STATUS_WORST_FIRST.index(new) < STATUS_WORST_FIRST.index(old)
    return Direction.WORSENING if worse else Direction.IMPROVING


def _pairs(old: AnswerState, new: AnswerState) -> list[tuple[ClaimCheck, ClaimCheck]]:
    before = {claim.idx: claim for claim in old.claims}
    return [(before[claim.idx], claim) for claim in new.claims]


def _differs(old: ClaimCheck, new: ClaimCheck) -> bool:
    return (old.state, old.causes, old.severity) != (new.state, new.causes, new.severity)


def _worse(old: ClaimCheck, new: ClaimCheck) -> bool:
    if new.state is ClaimState.OK:
        return False
    if WORST_FIRST.index(new.state) < WORST_FIRST.index(old.state):
        return True
    if new.severity is not None and old.severity is None:
        return True
    return not set(new.causes) <= set(old.causes)


def _bare(state: AnswerState) -> tuple[ClaimCheck, ...]:
    return tuple(replace(claim, fire_id=None, last_change_tx=None) for claim in state.claims)
