"""How a claim is shown: its state, the causes, and what rule 4 found (seed §6)."""

from collections.abc import Sequence

from app.core.rules import Verdict
from app.core.states import Cause, Caveat, ClaimCheck, ClaimState
from app.graph.queries import answers as q
from app.payloads.answers import AgainstView, CauseView, ClaimView, VerificationView


def shown_claim(claim: ClaimCheck, made: q.ClaimText, found: VerificationView | None) -> ClaimView:
    """Return a claim as it stands; the spans of its causes are those that rule 4 found."""
    return ClaimView(
        idx=claim.idx,
        text=made.text,
        verdict_at_save=claim.verdict_at_save,
        state=claim.state,
        severity=claim.severity,
        valid_time=made.pinned_at,
        causes=tuple(_cause(cause, found) for cause in claim.causes),
        caveats=claim.caveats,
        last_change_tx=claim.last_change_tx,
        fire_id=claim.fire_id,
        checkable=checkable(claim),
        verification=found,
    )


def verification_of(
    claim: ClaimCheck, found: Sequence[q.VerificationRow]
) -> VerificationView | None:
    """Return what rule 4 found of a claim in the state that it is in; ``found`` newest first.

    An affected claim was judged against the versions that displaced what it cites; one that is ok
    may have been cleared by the newest verdict.
    """
    if claim.state is ClaimState.AFFECTED:
        displaced = {_place(each) for each in claim.causes if each.winning_tx is not None}
        fits = [each for each in found if {_judged(row) for row in each.against} == displaced]
    elif claim.state is ClaimState.OK:
        fits = [each for each in found[:1] if each.verdict == Verdict.SUPPORTED]
    else:
        fits = []
    return _shown(fits[0]) if fits else None


def checkable(claim: ClaimCheck) -> bool:
    """A claim without evidence has nothing to check; no surface may show it green."""
    return Caveat.NO_EVIDENCE not in claim.caveats


def _place(cause: Cause) -> tuple[object, ...]:
    return cause.source_id, cause.winning_tx, cause.cited_tx, cause.start, cause.end


def _judged(row: dict[str, object]) -> tuple[object, ...]:
    return row["source_id"], row["tx"], row["cited_tx"], row["cited_start"], row["cited_end"]


def _against(each: AgainstView) -> tuple[object, ...]:
    return each.source_id, each.tx, each.cited_tx, each.cited_start, each.cited_end


def _shown(row: q.VerificationRow) -> VerificationView:
    return VerificationView(
        verdict=row.verdict,
        material=row.material,
        reasons=tuple(row.reasons),
        matcher_version=row.matcher_version,
        model=row.model,
        recorded_at=row.recorded_at,
        against=tuple(AgainstView.model_validate(each) for each in row.against),
    )


def _cause(cause: Cause, found: VerificationView | None) -> CauseView:
    places = [each for each in (found.against if found else ()) if _against(each) == _place(cause)]
    span = places[0] if places else None
    return CauseView(
        kind=cause.kind,
        state=cause.state,
        source_id=cause.source_id,
        clarification_id=cause.clarification_id,
        cited_tx=cause.cited_tx,
        cited_start=cause.start,
        cited_end=cause.end,
        winning_tx=cause.winning_tx,
        winning_start=span.start if span else None,
        winning_end=span.end if span else None,
    )
