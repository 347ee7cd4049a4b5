"""A check as a pure step: what was read of an answer in, what is to be written out (DESIGN §5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.core.fold import folded
from app.core.rules import Claim, Verdict, Verification, structural, verified
from app.core.states import AnswerState, Cause, CauseKind, Caveat, ClaimCheck, ClaimState
from app.core.transitions import Transition, same_state, transition

_STATIC: Final = frozenset({Caveat.NO_EVIDENCE, Caveat.JUDGED_AS_OF})


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer as read for a check: its state, its claims' facts, and the fires newly covered.

    ``fires`` maps a watch target (see ``Cause.target``) to the id of the fire of its newest change,
    for targets that moved since the last check; empty at a first check.
    """

    answer_id: str
    state: AnswerState
    claims: tuple[Claim, ...]
    fires: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a check decided: the new state, whether it differs, and the transition if there is one.

    ``failed``: a configured model was asked and gave no answer.
    """

    answer_id: str
    state: AnswerState
    changed: bool
    transition: Transition | None
    failed: bool = False


def facts(state: AnswerState) -> dict[int, Claim]:
    """Return an answer's claims by index with nothing against them, lasting caveats kept."""
    return {
        check.idx: Claim(
            check.idx,
            check.verdict_at_save,
            caveats=tuple(caveat for caveat in check.caveats if caveat in _STATIC),
        )
        for check in state.claims
    }


def structurally(reading: Reading) -> list[ClaimCheck]:
    """Return the claims of an answer by rules 1 to 3."""
    return [structural(claim) for claim in reading.claims]


def affected(checks: Sequence[ClaimCheck]) -> list[ClaimCheck]:
    """Return the claims that rule 4 is asked about."""
    return [check for check in checks if check.state is ClaimState.AFFECTED]


def decide(
    reading: Reading,
    checks: Sequence[ClaimCheck],
    verdicts: Mapping[tuple[str, int], Verification],
) -> Decision:
    """Return what an answer becomes: rule 4 applied, folded, and compared with what it was."""
    before = {check.idx: check for check in reading.state.claims}
    claims = []
    failed = False
    for check in checks:
        verdict = verdicts.get((reading.answer_id, check.idx))
        judged = verified(check, verdict) if verdict is not None else check
        failed = failed or (verdict is not None and verdict.verdict is Verdict.FAILED)
        claims.append(_with_fire(before[check.idx], judged, reading.fires))
    state = folded(claims)
    return Decision(
        answer_id=reading.answer_id,
        state=state,
        changed=not same_state(reading.state, state),
        transition=transition(reading.state, state),
        failed=failed,
    )


def _with_fire(
    old: ClaimCheck, new: ClaimCheck, fires: Mapping[tuple[str, str], str]
) -> ClaimCheck:
    """Name the change that led to a state: the old one's while the same causes give it.

    Else that of a cause which gives it since now, or no more.
    """
    before, now = _giving(old), _giving(new)
    if (old.state, before, old.severity) == (new.state, now, new.severity):
        return replace(new, fire_id=old.fire_id, last_change_tx=old.last_change_tx)
    arrived = [cause for cause in now if cause not in before]
    gone = [cause for cause in before if cause not in now]
    fired = (fires.get(cause.target) for cause in arrived or gone or now)
    displacing = (_displacing_tx(cause) for cause in arrived or now)
    return replace(
        new,
        fire_id=next((fire for fire in fired if fire is not None), None),
        last_change_tx=next((tx for tx in displacing if tx is not None), None),
    )


def _giving(check: ClaimCheck) -> list[Cause]:
    """Return the causes that give a claim its state."""
    return [cause for cause in check.causes if cause.state is check.state]


def _displacing_tx(cause: Cause) -> int | None:
    if cause.winning_tx is None and cause.kind is CauseKind.TOMBSTONED:
        return cause.cited_tx
    return cause.winning_tx
