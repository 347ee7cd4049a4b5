"""What a check found, in a few words, for the audit trail and the rates that are read from it."""

from app.core.check import Decision
from app.core.states import AnswerState, Caveat
from app.flow.reading import Head


def outcome(head: Head, decision: Decision, now: int) -> str:
    """Say what a check at ``now`` (µs) found of an answer whose boundaries were read.

    First what became of its state. Then, each where it is so: that it was the first check; that the
    moment moved at which the clock alone may change the answer; that this moment had come; that no
    model could verify.
    """
    words = [
        _became(head.state, decision),
        "first check" if head.checked_at is None else None,
        "due moved" if head.boundary != head.expires_at else None,
        "by the clock" if _expired(head, now) else None,
        Caveat.VERIFICATION_UNAVAILABLE if _unverified(decision.state) else None,
    ]
    return ", ".join(word for word in words if word is not None)


def _became(before: AnswerState, decision: Decision) -> str:
    after = decision.state
    if not decision.changed:
        return f"{after.status}, unchanged"
    if _bare(before) == _bare(after):
        return f"{after.status}, caveats changed"
    return f"{before.status} -> {after.status}"


def _bare(state: AnswerState) -> list[tuple[object, ...]]:
    return [(claim.state, claim.severity, claim.causes) for claim in state.claims]


def _expired(head: Head, now: int) -> bool:
    return head.expires_at is not None and head.expires_at <= head.instant(now)


def _unverified(state: AnswerState) -> bool:
    return any(Caveat.VERIFICATION_UNAVAILABLE in claim.caveats for claim in state.claims)
