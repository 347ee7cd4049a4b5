"""Rules 1 to 4 as tables: what the graph says of a claim, and what becomes of it (seed §3.4)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.rules import (
    Citation,
    Claim,
    ClarificationPhase,
    Pending,
    Verdict,
    Verification,
    structural,
    verified,
)
from app.core.states import CauseKind, Caveat, ClaimState, Severity

LOST = Citation(
    source_id="cap",
    cited_tx=10,
    start=0,
    end=5,
    at=100,
    tombstoned=False,
    cited_from=10,
    cited_to=1000,
    cited_competes=True,
    winning_tx=20,
    winning_from=20,
    winning_corrects=None,
    overridden=False,
    blank_ends=False,
)
NOBODY = replace(LOST, winning_tx=None, winning_from=None)

DISPLACED = {
    "newer version": (LOST, CauseKind.NEWER_VERSION),
    "same start, greater tx": (replace(LOST, winning_from=10), CauseKind.NEWER_VERSION),
    "corrected by the winner": (replace(LOST, winning_corrects=10), CauseKind.CORRECTED),
    "corrected, an older one wins": (
        replace(LOST, winning_tx=5, winning_from=5, cited_competes=False),
        CauseKind.CORRECTED,
    ),
    "overridden": (replace(LOST, overridden=True), CauseKind.OVERRIDDEN),
    "its window ran out": (replace(LOST, cited_to=100), CauseKind.EXPIRED),
    "its window ran out, overridden since": (
        replace(LOST, cited_to=100, overridden=True),
        CauseKind.EXPIRED,
    ),
    "it holds only later": (replace(LOST, cited_from=101), CauseKind.NOT_YET_VALID),
    "the source ended": (replace(NOBODY, blank_ends=True), CauseKind.SOURCE_ENDED),
    "what outranked it was removed": (NOBODY, CauseKind.WINNER_REMOVED),
    "corrected, nobody wins": (replace(NOBODY, cited_competes=False), CauseKind.CORRECTED),
}


@pytest.mark.parametrize("case", DISPLACED)
def test_a_citation_that_does_not_win_affects_its_claim(case: str) -> None:
    lost, kind = DISPLACED[case]
    checked = structural(Claim(0, "supported", lost=(lost,)))
    [cause] = checked.causes
    assert (checked.state, cause.kind, cause.winning_tx) == (
        ClaimState.AFFECTED,
        kind,
        lost.winning_tx,
    )


@pytest.mark.parametrize("case", DISPLACED)
def test_a_tombstone_invalidates_whatever_else_is_true(case: str) -> None:
    lost, _ = DISPLACED[case]
    checked = structural(Claim(0, "supported", lost=(replace(lost, tombstoned=True),)))
    [cause] = checked.causes
    assert (checked.state, cause.kind) == (ClaimState.INVALIDATED, CauseKind.TOMBSTONED)


CLARIFIED = {
    ClarificationPhase.OPEN: ClaimState.PENDING,
    ClarificationPhase.CONFLICTED: ClaimState.CONFLICTED,
    ClarificationPhase.BOUND: ClaimState.AFFECTED,
    ClarificationPhase.WITHDRAWN: ClaimState.OK,
}


@pytest.mark.parametrize("phase", ClarificationPhase)
def test_a_clarification_that_was_pending_counts_as_it_stands(phase: ClarificationPhase) -> None:
    checked = structural(Claim(0, "supported", pending=(Pending("q", "cap", phase, None),)))
    assert checked.state is CLARIFIED[phase]
    assert len(checked.causes) == (phase is not ClarificationPhase.WITHDRAWN)


PENDING = st.builds(
    Pending,
    clarification_id=st.sampled_from("pqr"),
    source_id=st.just("cap"),
    phase=st.sampled_from(ClarificationPhase),
    bound_tx=st.none(),
)
CITATIONS = st.sampled_from([lost for lost, _ in DISPLACED.values()]).flatmap(
    lambda lost: st.booleans().map(lambda gone: replace(lost, tombstoned=gone))
)


@given(st.lists(CITATIONS, max_size=3), st.lists(PENDING, max_size=3))
def test_a_claim_takes_the_worst_and_keeps_every_cause(
    lost: list[Citation], pending: list[Pending]
) -> None:
    checked = structural(Claim(0, "supported", lost=tuple(lost), pending=tuple(pending)))
    states = [ClaimState.INVALIDATED if each.tombstoned else ClaimState.AFFECTED for each in lost]
    states += [CLARIFIED[each.phase] for each in pending]
    worst_first = ["invalidated", "conflicted", "pending", "affected", "ok"]
    assert checked.state == min(states, key=worst_first.index, default=ClaimState.OK)
    assert len(checked.causes) == sum(state is not ClaimState.OK for state in states)


@given(st.permutations([lost for lost, _ in DISPLACED.values()]))
def test_the_order_in_which_citations_were_read_does_not_matter(lost: list[Citation]) -> None:
    numbered = [replace(each, start=LOST.start + n) for n, each in enumerate(lost)]
    one = structural(Claim(0, "supported", lost=tuple(numbered)))
    other = structural(Claim(0, "supported", lost=tuple(reversed(numbered))))
    assert one == other


AFFECTED = structural(Claim(0, "supported", lost=(LOST,)))


@pytest.mark.parametrize("verdict", Verdict)
def test_only_supported_clears(verdict: Verdict) -> None:
    checked = verified(AFFECTED, Verification(verdict))
    assert (checked.state is ClaimState.OK) == (verdict is Verdict.SUPPORTED)
    assert bool(checked.causes) == (verdict is not Verdict.SUPPORTED)


@pytest.mark.parametrize("verdict", [Verdict.UNAVAILABLE, Verdict.FAILED])
def test_could_not_verify_is_a_caveat(verdict: Verdict) -> None:
    checked = verified(AFFECTED, Verification(verdict))
    assert checked.caveats == (Caveat.VERIFICATION_UNAVAILABLE,)


def test_the_numeric_gate_sets_severity_and_no_state() -> None:
    plain = verified(AFFECTED, Verification(Verdict.UNSUPPORTED))
    material = verified(AFFECTED, Verification(Verdict.UNSUPPORTED, material=True))
    assert (plain.severity, material.severity) == (None, Severity.MATERIAL)
    assert plain.state is material.state


@pytest.mark.parametrize("phase", [ClarificationPhase.OPEN, ClarificationPhase.CONFLICTED])
def test_verification_clears_affected_claims_alone(phase: ClarificationPhase) -> None:
    waiting = structural(Claim(0, "supported", pending=(Pending("q", "cap", phase, None),)))
    assert verified(waiting, Verification(Verdict.SUPPORTED)) == waiting
