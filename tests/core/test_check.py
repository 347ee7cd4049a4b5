"""A check as a pure step: facts in, decision out (DESIGN §5, §6.2)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.core.check import Decision, Reading, affected, decide, facts, structurally
from app.core.fold import folded
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
from app.core.states import AnswerState, CauseKind, Caveat, ClaimCheck, ClaimState, Severity, Status

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
SKY = replace(LOST, source_id="sky", winning_tx=30, winning_from=30)
GONE = replace(LOST, tombstoned=True, winning_tx=None, winning_from=None)
CAP, ABOUT = ("source", "cap"), ("clarification", "q")
FIRE, SPARK = "fire/cap", "fire/q"


def claim(*lost: Citation, idx: int = 0, pending: tuple[Pending, ...] = ()) -> Claim:
    return Claim(idx, "supported", lost, pending)


def pending(phase: ClarificationPhase) -> tuple[Pending, ...]:
    return (Pending("q", "cap", phase, None),)


def before(*checks: ClaimCheck) -> AnswerState:
    return folded(checks)


FRESH = before(ClaimCheck(0, "supported"))


def decided(
    state: AnswerState,
    *claims: Claim,
    fires: Mapping[tuple[str, str], str] | None = None,
    verdicts: Mapping[tuple[str, int], Verification] | None = None,
) -> Decision:
    reading = Reading("a", state, claims, fires or {})
    return decide(reading, structurally(reading), verdicts or {})


# Facts


def test_facts_begin_with_nothing_against_a_claim_and_keep_its_lasting_caveats() -> None:
    caveats = tuple(sorted(Caveat))
    old = ClaimCheck(3, "partial", ClaimState.AFFECTED, Severity.MATERIAL, caveats=caveats)
    lasting = (Caveat.JUDGED_AS_OF, Caveat.NO_EVIDENCE)
    assert facts(before(old)) == {3: Claim(3, "partial", caveats=lasting)}


def test_a_claim_without_evidence_keeps_ok_and_its_caveat() -> None:
    state = before(ClaimCheck(0, "supported", caveats=(Caveat.NO_EVIDENCE,)))
    decision = decided(state, *facts(state).values())
    assert (decision.changed, decision.transition) == (False, None)
    assert decision.state == state


def test_rule_4_is_asked_about_affected_claims_alone() -> None:
    reading = Reading(
        "a",
        FRESH,
        (
            claim(LOST, idx=0),
            claim(idx=1),
            claim(GONE, idx=2),
            claim(LOST, idx=3, pending=pending(ClarificationPhase.OPEN)),
            claim(idx=4, pending=pending(ClarificationPhase.BOUND)),
        ),
        {},
    )
    assert [check.idx for check in affected(structurally(reading))] == [0, 4]


# Decisions


def test_nothing_against_it_changes_nothing() -> None:
    decision = decided(FRESH, claim())
    assert decision == Decision("a", FRESH, changed=False, transition=None, failed=False)


def test_a_displaced_citation_moves_the_answer() -> None:
    decision = decided(FRESH, claim(LOST))
    assert decision.changed
    assert decision.state.status is Status.STALE
    assert decision.transition is not None
    assert decision.transition.to_status is Status.STALE


def test_the_same_facts_again_change_nothing() -> None:
    once = decided(FRESH, claim(LOST), fires={CAP: FIRE})
    again = decided(once.state, claim(LOST))
    assert (again.changed, again.transition, again.state) == (False, None, once.state)


def test_a_caveat_alone_is_a_change_and_no_transition() -> None:
    once = decided(FRESH, claim(LOST))
    told = {("a", 0): Verification(Verdict.UNAVAILABLE)}
    again = decided(once.state, claim(LOST), verdicts=told)
    assert (again.changed, again.transition) == (True, None)


def test_every_verdict_is_applied_to_its_own_claim_of_its_own_answer() -> None:
    state = before(ClaimCheck(0, "supported"), ClaimCheck(1, "supported"))
    decision = decided(
        state,
        claim(LOST, idx=0),
        claim(LOST, idx=1),
        verdicts={
            ("a", 1): Verification(Verdict.SUPPORTED),
            ("b", 0): Verification(Verdict.SUPPORTED),
        },
    )
    assert [check.state for check in decision.state.claims] == [ClaimState.AFFECTED, ClaimState.OK]
    assert decision.state.status is Status.PARTIALLY_STALE


@pytest.mark.parametrize("verdict", Verdict)
def test_only_a_configured_model_without_an_answer_failed(verdict: Verdict) -> None:
    decision = decided(FRESH, claim(LOST), verdicts={("a", 0): Verification(verdict)})
    assert decision.failed is (verdict is Verdict.FAILED)


def test_one_failure_among_others_is_enough() -> None:
    state = before(ClaimCheck(0, "supported"), ClaimCheck(1, "supported"))
    for verdicts in (
        {("a", 0): Verification(Verdict.FAILED), ("a", 1): Verification(Verdict.PARTIAL)},
        {("a", 0): Verification(Verdict.PARTIAL), ("a", 1): Verification(Verdict.FAILED)},
    ):
        found = decided(state, claim(LOST, idx=0), claim(LOST, idx=1), verdicts=verdicts)
        assert found.failed


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("material", [False, True])
def test_severity_is_material_only_where_the_verifier_contradicts(
    verdict: Verdict, material: bool
) -> None:
    decision = decided(FRESH, claim(LOST), verdicts={("a", 0): Verification(verdict, material)})
    contradicts = verdict in (Verdict.PARTIAL, Verdict.UNSUPPORTED)
    assert decision.state.severity == (Severity.MATERIAL if material and contradicts else None)
    cleared = verdict is Verdict.SUPPORTED
    assert decision.state.status is (Status.CURRENT if cleared else Status.STALE)


def test_no_claims_are_current_with_a_caveat() -> None:
    empty = before()
    decision = decided(empty)
    assert (decision.changed, decision.state.status) == (False, Status.CURRENT)
    assert decision.state.caveats == (Caveat.NO_CLAIMS,)


# Which fire, which version


def test_the_fire_is_of_the_target_that_gave_the_state() -> None:
    fires = {CAP: FIRE, ABOUT: SPARK}
    for facts_, fire, tx in (
        (claim(LOST), FIRE, 20),
        (claim(GONE), FIRE, 10),
        (claim(pending=pending(ClarificationPhase.OPEN)), SPARK, None),
        (claim(LOST, pending=pending(ClarificationPhase.CONFLICTED)), SPARK, None),
        (claim(GONE, pending=pending(ClarificationPhase.CONFLICTED)), FIRE, 10),
    ):
        [check] = decided(FRESH, facts_, fires=fires).state.claims
        assert (check.fire_id, check.last_change_tx) == (fire, tx)


def test_a_first_or_due_check_has_no_fire() -> None:
    [check] = decided(FRESH, claim(LOST)).state.claims
    assert (check.fire_id, check.last_change_tx) == (None, 20)


def test_a_fire_of_another_source_is_none_of_this_claim() -> None:
    [check] = decided(FRESH, claim(LOST), fires={("source", "sky"): FIRE}).state.claims
    assert check.fire_id is None


def test_a_state_that_stays_keeps_the_fire_that_led_to_it() -> None:
    once = decided(FRESH, claim(LOST), fires={CAP: FIRE}).state
    [check] = decided(once, claim(LOST), fires={CAP: "another"}).state.claims
    assert (check.fire_id, check.last_change_tx) == (FIRE, 20)


def test_another_displacing_version_takes_its_own_fire() -> None:
    once = decided(FRESH, claim(LOST), fires={CAP: FIRE}).state
    newer = replace(LOST, winning_tx=25)
    [check] = decided(once, claim(newer), fires={CAP: "another"}).state.claims
    assert (check.fire_id, check.last_change_tx) == ("another", 25)


def test_a_claim_that_is_ok_again_names_the_change_that_cleared_it() -> None:
    once = decided(FRESH, claim(LOST), fires={CAP: FIRE}).state
    [check] = decided(once, claim(), fires={CAP: "another"}).state.claims
    assert (check.state, check.fire_id, check.last_change_tx) == (ClaimState.OK, "another", None)


def test_where_nobody_wins_no_version_displaced() -> None:
    ended = replace(LOST, winning_tx=None, winning_from=None, blank_ends=True)
    [check] = decided(FRESH, claim(ended)).state.claims
    assert check.causes[0].kind is CauseKind.SOURCE_ENDED
    assert check.last_change_tx is None


def test_the_first_displacing_version_among_the_causes_counts() -> None:
    ended = replace(LOST, source_id="art", winning_tx=None, winning_from=None, blank_ends=True)
    [check] = decided(FRESH, claim(SKY, LOST, ended)).state.claims
    assert [cause.source_id for cause in check.causes] == ["art", "cap", "sky"]
    assert check.last_change_tx == 20


def test_of_two_targets_the_one_whose_cause_is_new_counts() -> None:
    once = decided(FRESH, claim(LOST), fires={CAP: FIRE}).state
    both = {CAP: "unrelated", ("source", "sky"): "fire/sky"}
    [check] = decided(once, claim(LOST, SKY), fires=both).state.claims
    assert (check.fire_id, check.last_change_tx) == ("fire/sky", 30)


def test_a_cause_that_went_away_names_the_change_that_took_it() -> None:
    once = decided(FRESH, claim(LOST, SKY), fires={CAP: FIRE}).state
    both = {CAP: "unrelated", ("source", "sky"): "fire/sky"}
    [check] = decided(once, claim(LOST), fires=both).state.claims
    assert (check.fire_id, check.last_change_tx) == ("fire/sky", 20)


def test_a_lesser_cause_beside_the_one_that_gives_the_state_changes_no_fire() -> None:
    once = decided(FRESH, claim(GONE), fires={CAP: FIRE}).state
    decision = decided(once, claim(GONE, SKY), fires={("source", "sky"): "fire/sky"})
    assert decision.changed
    [check] = decision.state.claims
    assert (check.fire_id, check.last_change_tx) == (FIRE, 10)


def test_severity_alone_takes_the_new_fire() -> None:
    once = decided(FRESH, claim(LOST), fires={CAP: FIRE}).state
    told = {("a", 0): Verification(Verdict.UNSUPPORTED, material=True)}
    [check] = decided(once, claim(LOST), fires={CAP: "another"}, verdicts=told).state.claims
    assert (check.severity, check.fire_id) == (Severity.MATERIAL, "another")


def test_a_check_is_the_rules_and_the_fold_and_nothing_else() -> None:
    told = Verification(Verdict.PARTIAL, material=True)
    decision = decided(FRESH, claim(LOST), verdicts={("a", 0): told})
    judged = replace(verified(structural(claim(LOST)), told), last_change_tx=20)
    assert decision.state == folded([judged])
