"""What an owner hears of, sentence by sentence of DESIGN §6.3."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.fold import folded
from app.core.states import AnswerState, Cause, CauseKind, ClaimCheck, ClaimState, Severity, Status
from app.core.transitions import Direction, Transition, direction, same_state, transition

NEWER = Cause(CauseKind.NEWER_VERSION, ClaimState.AFFECTED, "cap", cited_tx=1, winning_tx=2)
NEWEST = replace(NEWER, winning_tx=3)
OTHER = replace(NEWER, source_id="sky")
OK = ClaimCheck(0, "supported")
HIT = replace(OK, state=ClaimState.AFFECTED, causes=(NEWER,))


def answer(*claims: ClaimCheck) -> AnswerState:
    return folded([replace(claim, idx=idx) for idx, claim in enumerate(claims)])


CLAIMS = st.builds(
    lambda causes, severity: replace(
        OK,
        state=ClaimState.AFFECTED if causes else ClaimState.OK,
        causes=tuple(sorted(causes, key=repr)),
        severity=severity if causes else None,
    ),
    st.sets(st.sampled_from([NEWER, NEWEST, OTHER]), max_size=2),
    st.sampled_from([None, Severity.MATERIAL]),
)
PAIRS = st.lists(st.tuples(CLAIMS, CLAIMS), min_size=1, max_size=3)


def test_a_change_of_status_is_one_with_the_claims_that_moved() -> None:
    found = transition(answer(OK, OK), answer(OK, HIT))
    assert found is not None
    assert (found.from_status, found.to_status) == (Status.CURRENT, Status.PARTIALLY_STALE)
    assert (found.changed_claims, found.direction) == ((1,), Direction.WORSENING)


def test_an_improving_change_of_status_is_one_too() -> None:
    found = transition(answer(HIT), answer(OK))
    assert found is not None
    assert (found.direction, found.changed_claims) == (Direction.IMPROVING, (0,))


def test_a_claim_newly_not_ok_is_one_at_equal_status() -> None:
    found = transition(answer(HIT, OK, OK), answer(HIT, HIT, OK))
    assert found is not None
    assert (found.direction, found.changed_claims) == (Direction.SAME, (1,))


def test_another_displacing_version_is_one_at_equal_status() -> None:
    found = transition(answer(HIT), answer(replace(HIT, causes=(NEWEST,))))
    assert found is not None
    assert found.changed_claims == (0,)


def test_a_new_cause_is_one_at_equal_status() -> None:
    assert transition(answer(HIT), answer(replace(HIT, causes=(NEWER, OTHER)))) is not None


def test_rising_severity_is_one_at_equal_status() -> None:
    found = transition(answer(HIT), answer(replace(HIT, severity=Severity.MATERIAL)))
    assert found is not None
    assert found.severity is Severity.MATERIAL


def test_an_improvement_at_equal_status_is_none() -> None:
    assert transition(answer(HIT, HIT, OK), answer(HIT, OK, OK)) is None
    both = replace(HIT, causes=(NEWER, OTHER))
    assert transition(answer(both), answer(HIT)) is None


def test_a_state_that_worsens_is_one_at_equal_status() -> None:
    gone = replace(OK, state=ClaimState.INVALIDATED)
    waiting = replace(HIT, state=ClaimState.PENDING, causes=(replace(NEWER, source_id="q"),))
    found = transition(answer(gone, HIT), answer(gone, waiting))
    assert found is not None
    assert found.changed_claims == (1,)
    bare = transition(answer(gone, HIT), answer(gone, replace(HIT, state=ClaimState.PENDING)))
    assert bare is not None
    assert transition(answer(gone, waiting), answer(gone, replace(waiting, causes=()))) is None


def test_a_version_that_no_longer_displaces_is_one_where_the_cause_is_another() -> None:
    ended = replace(NEWER, kind=CauseKind.SOURCE_ENDED, winning_tx=None)
    assert transition(answer(HIT), answer(replace(HIT, causes=(ended,)))) is not None


def test_severity_that_falls_or_stays_is_none() -> None:
    grave = replace(HIT, severity=Severity.MATERIAL)
    assert transition(answer(grave), answer(HIT)) is None
    assert transition(answer(grave), answer(grave)) is None


def test_a_caveat_is_a_change_and_no_transition() -> None:
    noted = replace(HIT, caveats=("verification:unavailable",))
    assert not same_state(answer(HIT), answer(noted))
    assert transition(answer(HIT), answer(noted)) is None


def test_only_the_claims_that_moved_are_named_ascending() -> None:
    old, new = answer(OK, HIT, OK, HIT), answer(HIT, HIT, HIT, HIT)
    found = transition(old, replace(new, claims=tuple(reversed(new.claims))))
    assert found == Transition(
        Status.PARTIALLY_STALE, Status.STALE, (0, 2), None, Direction.WORSENING
    )


def test_a_change_of_status_names_claims_that_improved_and_those_with_another_cause() -> None:
    found = transition(
        answer(replace(HIT, state=ClaimState.INVALIDATED), HIT, HIT, OK),
        answer(OK, replace(HIT, causes=(NEWEST,)), replace(HIT, severity=Severity.MATERIAL), OK),
    )
    assert found is not None
    assert (found.changed_claims, found.severity) == ((0, 1, 2), Severity.MATERIAL)


WORST_FIRST = (
    "superseded", "invalidated", "conflicted", "pending", "stale", "partially_stale", "current"
)  # fmt: skip


@pytest.mark.parametrize("old", Status)
@pytest.mark.parametrize("new", Status)
def test_which_way_a_status_moved(old: Status, new: Status) -> None:
    way = WORST_FIRST.index(old) - WORST_FIRST.index(new)
    expected = Direction.SAME if way == 0 else Direction.IMPROVING
    assert direction(old, new) is (Direction.WORSENING if way > 0 else expected)


@given(PAIRS)
def test_the_way_back_is_the_other_way(pairs: list[tuple[ClaimCheck, ClaimCheck]]) -> None:
    old, new = answer(*(old for old, _ in pairs)), answer(*(new for _, new in pairs))
    there, back = transition(old, new), transition(new, old)
    if old.status is not new.status:
        assert there is not None
        assert back is not None
        assert (there.from_status, there.to_status) == (back.to_status, back.from_status)
        assert there.changed_claims == back.changed_claims
        assert {there.direction, back.direction} == {Direction.WORSENING, Direction.IMPROVING}


def test_which_fire_led_to_a_state_is_no_change() -> None:
    one, other = replace(HIT, fire_id="a", last_change_tx=2), replace(HIT, fire_id="b")
    assert same_state(answer(one), answer(other))
    assert transition(answer(one), answer(other)) is None


@given(PAIRS)
def test_nothing_leads_to_nothing(pairs: list[tuple[ClaimCheck, ClaimCheck]]) -> None:
    state = answer(*(old for old, _ in pairs))
    assert transition(state, state) is None
    assert same_state(state, state)


@given(PAIRS)
def test_another_status_is_always_a_transition(pairs: list[tuple[ClaimCheck, ClaimCheck]]) -> None:
    old, new = answer(*(old for old, _ in pairs)), answer(*(new for _, new in pairs))
    found = transition(old, new)
    if old.status is not new.status:
        assert found is not None
        assert found.changed_claims
    elif found is not None:
        assert found.direction is Direction.SAME
        assert all(new.claims[idx].state is not ClaimState.OK for idx in found.changed_claims)
