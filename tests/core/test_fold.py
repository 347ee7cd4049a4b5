"""One property for each sentence of seed §3.5."""

import itertools
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core import claims_json
from app.core.fold import fold, folded, known_state, worst
from app.core.states import Caveat, ClaimCheck, ClaimState, Severity, Status

STATES = st.lists(st.sampled_from(ClaimState), max_size=6)
CLAIMS = st.lists(
    st.builds(
        ClaimCheck,
        idx=st.integers(0, 9),
        verdict_at_save=st.just("supported"),
        state=st.sampled_from(ClaimState),
        severity=st.sampled_from([None, Severity.MATERIAL]),
    ),
    max_size=5,
)


@given(STATES)
def test_any_claim_invalidated_is_invalidated(states: list[ClaimState]) -> None:
    assert (fold(states) is Status.INVALIDATED) == (ClaimState.INVALIDATED in states)


@given(STATES)
def test_else_any_conflicted_is_conflicted(states: list[ClaimState]) -> None:
    rest = [state for state in states if state is not ClaimState.INVALIDATED]
    assert (fold(rest) is Status.CONFLICTED) == (ClaimState.CONFLICTED in rest)


@given(STATES)
def test_else_any_pending_is_pending(states: list[ClaimState]) -> None:
    worse = {ClaimState.INVALIDATED, ClaimState.CONFLICTED}
    rest = [state for state in states if state not in worse]
    assert (fold(rest) is Status.PENDING) == (ClaimState.PENDING in rest)


@given(st.integers(1, 6))
def test_else_all_claims_affected_is_stale(claims: int) -> None:
    assert fold([ClaimState.AFFECTED] * claims) is Status.STALE


@given(st.integers(1, 5), st.integers(1, 5))
def test_else_one_affected_or_more_is_partially_stale(affected: int, ok: int) -> None:
    states = [ClaimState.AFFECTED] * affected + [ClaimState.OK] * ok
    assert fold(states) is Status.PARTIALLY_STALE


@given(st.integers(0, 6))
def test_else_it_is_current_and_no_claims_are_never_stale(claims: int) -> None:
    assert fold([ClaimState.OK] * claims) is Status.CURRENT


@given(STATES)
def test_superseded_is_set_by_refresh_alone(states: list[ClaimState]) -> None:
    assert fold(states) is not Status.SUPERSEDED


@given(STATES, st.randoms())
def test_two_folds_of_the_same_states_agree_in_any_order(
    states: list[ClaimState], random: Random
) -> None:
    shuffled = list(states)
    random.shuffle(shuffled)
    assert fold(states) is fold(shuffled)


@given(CLAIMS)
def test_severity_is_the_maximum_and_moves_no_status(claims: list[ClaimCheck]) -> None:
    state = folded(claims)
    assert (state.severity is Severity.MATERIAL) == any(claim.severity for claim in claims)
    assert state.status is fold([claim.state for claim in claims])


@given(CLAIMS)
def test_severity_never_moves_a_status(claims: list[ClaimCheck]) -> None:
    plain = [replace(claim, severity=None) for claim in claims]
    assert folded(claims).status is folded(plain).status


@given(CLAIMS)
def test_two_folds_of_the_same_claims_agree(claims: list[ClaimCheck]) -> None:
    assert folded(claims) == folded(list(claims))
    assert folded(claims).claims == tuple(claims)


@pytest.mark.parametrize("size", range(5))
def test_the_fold_is_total_and_its_precedence_is_the_specification(size: int) -> None:
    for states in itertools.product(ClaimState, repeat=size):
        said = [
            (Status.INVALIDATED, "invalidated" in states),
            (Status.CONFLICTED, "conflicted" in states),
            (Status.PENDING, "pending" in states),
            (Status.STALE, size > 0 and set(states) == {"affected"}),
            (Status.PARTIALLY_STALE, "affected" in states),
            (Status.CURRENT, True),
        ]
        assert fold(states) is next(status for status, holds in said if holds)


@pytest.mark.parametrize("size", range(4))
def test_the_worst_state_is_the_first_in_the_order_of_the_design(size: int) -> None:
    order = ["invalidated", "conflicted", "pending", "affected", "ok"]
    for states in itertools.product(ClaimState, repeat=size):
        found = next((state for state in order if state in states), "ok")
        assert worst(states) == found


@pytest.mark.parametrize("state", ClaimState)
def test_a_known_state_is_itself(state: ClaimState) -> None:
    assert known_state(state.value) is state


def test_an_answer_without_claims_says_so() -> None:
    assert folded([]).caveats == (Caveat.NO_CLAIMS,)
    assert folded([ClaimCheck(0, "supported")]).caveats == ()


def test_a_state_that_the_code_does_not_know_counts_as_affected() -> None:
    stored = claims_json.dumps([ClaimCheck(0, "supported")]).replace('"ok"', '"doubtful"')
    assert known_state("doubtful") is ClaimState.AFFECTED
    assert fold([claim.state for claim in claims_json.loads(stored)]) is Status.STALE


@given(CLAIMS)
def test_stored_claims_come_back_as_they_were(claims: list[ClaimCheck]) -> None:
    assert claims_json.loads(claims_json.dumps(claims)) == tuple(claims)
