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
from app.core.states import Cause, CauseKind, Caveat, ClaimCheck, ClaimState, Severity

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
    "an earlier start, a greater tx": (
        replace(LOST, winning_from=9, cited_competes=False),
        CauseKind.CORRECTED,
    ),
    "a later start, a smaller tx": (
        replace(LOST, winning_from=11, winning_tx=5),
        CauseKind.NEWER_VERSION,
    ),
    "corrected by the winner that a steward bound": (
        replace(LOST, winning_corrects=10, overridden=True),
        CauseKind.CORRECTED,
    ),
    "corrected by the winner after its window": (
        replace(LOST, winning_corrects=10, cited_to=100),
        CauseKind.CORRECTED,
    ),
    "the winner corrects another": (replace(LOST, winning_corrects=11), CauseKind.NEWER_VERSION),
    "its window ran out just now": (replace(LOST, cited_to=LOST.at), CauseKind.EXPIRED),
    "its window runs out just after": (
        replace(LOST, cited_to=LOST.at + 1),
        CauseKind.NEWER_VERSION,
    ),
    "it holds from just now": (
        replace(LOST, cited_from=LOST.at, winning_from=LOST.at),
        CauseKind.NEWER_VERSION,
    ),
    "expired, nobody wins": (replace(NOBODY, cited_to=100), CauseKind.EXPIRED),
    "expired, then the source ended": (
        replace(NOBODY, cited_to=100, blank_ends=True),
        CauseKind.EXPIRED,
    ),
    "corrected, then the source ended": (
        replace(NOBODY, cited_competes=False, blank_ends=True),
        CauseKind.SOURCE_ENDED,
    ),
    "it holds only later, overridden": (
        replace(LOST, cited_from=101, overridden=True),
        CauseKind.NOT_YET_VALID,
    ),
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


def test_every_kind_of_cause_has_a_case() -> None:
    kinds = {kind for _, kind in DISPLACED.values()} | {CauseKind.TOMBSTONED}
    clarified = {kind for kind in CauseKind if kind.value.startswith("clarification")}
    assert kinds | clarified == set(CauseKind)


def test_a_cause_names_the_citation_and_who_wins_instead() -> None:
    [cause] = structural(Claim(0, "supported", lost=(replace(LOST, start=3),))).causes
    assert cause == Cause(
        CauseKind.NEWER_VERSION,
        ClaimState.AFFECTED,
        "cap",
        clarification_id=None,
        cited_tx=10,
        start=3,
        end=5,
        winning_tx=20,
    )
    assert cause.target == ("source", "cap")


def test_a_check_keeps_what_the_claim_is_and_sorts_its_caveats() -> None:
    claim = Claim(7, "partial", caveats=(Caveat.NO_EVIDENCE, Caveat.JUDGED_AS_OF))
    assert structural(claim) == ClaimCheck(
        7, "partial", caveats=(Caveat.JUDGED_AS_OF, Caveat.NO_EVIDENCE)
    )


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
    kinds = [] if phase is ClarificationPhase.WITHDRAWN else [f"clarification_{phase}"]
    assert [cause.kind for cause in checked.causes] == kinds


def test_a_clarification_names_itself_its_source_and_what_its_binding_chose() -> None:
    bound = Pending("q", "cap", ClarificationPhase.BOUND, 30)
    [cause] = structural(Claim(0, "supported", pending=(bound,))).causes
    assert cause == Cause(
        CauseKind.CLARIFICATION_BOUND, ClaimState.AFFECTED, "cap", "q", winning_tx=30
    )
    assert cause.target == ("clarification", "q")


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


@given(st.permutations([0, 5, 7]), st.permutations([5, 6, 9]), st.permutations([8, 9, 10]))
def test_causes_are_ordered_by_what_they_are_about(
    starts: list[int], ends: list[int], txs: list[int]
) -> None:
    lost = [
        replace(LOST, source_id=source, cited_tx=tx, start=start, end=10 + end)
        for source in ("sky", "cap")
        for tx in txs
        for start in starts
        for end in ends
    ]
    opened = [Pending(q, "cap", ClarificationPhase.OPEN, None) for q in ("q", "p")]
    causes = structural(Claim(0, "supported", lost=tuple(lost), pending=tuple(opened))).causes
    places = [
        (c.source_id, c.clarification_id or "", c.cited_tx or 0, c.start or 0, c.end or 0)
        for c in causes
    ]
    assert places == sorted(places)
    assert len(set(places)) == len(lost) + len(opened)


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


def test_a_verifier_that_is_switched_off_is_another_caveat() -> None:
    assert verified(AFFECTED, Verification(Verdict.OFF)).caveats == (Caveat.VERIFICATION_OFF,)


@pytest.mark.parametrize("verdict", Verdict)
def test_verification_keeps_what_the_claim_is(verdict: Verdict) -> None:
    claim = Claim(7, "partial", lost=(LOST,), caveats=(Caveat.JUDGED_AS_OF,))
    checked = verified(structural(claim), Verification(verdict))
    assert (checked.idx, checked.verdict_at_save) == (7, "partial")
    assert Caveat.JUDGED_AS_OF in checked.caveats
    assert list(checked.caveats) == sorted(checked.caveats)


def test_the_numeric_gate_sets_severity_and_no_state() -> None:
    plain = verified(AFFECTED, Verification(Verdict.UNSUPPORTED))
    material = verified(AFFECTED, Verification(Verdict.UNSUPPORTED, material=True))
    assert (plain.severity, material.severity) == (None, Severity.MATERIAL)
    assert plain.state is material.state


@pytest.mark.parametrize("phase", [ClarificationPhase.OPEN, ClarificationPhase.CONFLICTED])
def test_verification_clears_affected_claims_alone(phase: ClarificationPhase) -> None:
    waiting = structural(Claim(0, "supported", pending=(Pending("q", "cap", phase, None),)))
    assert verified(waiting, Verification(Verdict.SUPPORTED)) == waiting
