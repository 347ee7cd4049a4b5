"""``claims_json``, v 1: canonical, and foldable by older and newer code (seed §5, §11)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core import claims_json
from app.core.fold import fold
from app.core.states import (
    AnswerState,
    Cause,
    CauseKind,
    Caveat,
    ClaimCheck,
    ClaimState,
    Severity,
    Status,
)

TXS = st.none() | st.integers(0, 9 * 10**15)
CAUSES = st.builds(
    Cause,
    kind=st.sampled_from(CauseKind),
    state=st.sampled_from(ClaimState),
    source_id=st.text(max_size=5),
    clarification_id=st.none() | st.text(max_size=5),
    cited_tx=TXS,
    start=st.none() | st.integers(0, 99),
    end=st.none() | st.integers(0, 99),
    winning_tx=TXS,
)
CLAIMS = st.lists(
    st.builds(
        ClaimCheck,
        idx=st.integers(0, 99),
        verdict_at_save=st.sampled_from(["supported", "partial"]),
        state=st.sampled_from(ClaimState),
        severity=st.none() | st.just(Severity.MATERIAL),
        causes=st.lists(CAUSES, max_size=2).map(tuple),
        caveats=st.lists(st.sampled_from(Caveat), max_size=2).map(tuple),
        last_change_tx=TXS,
        fire_id=st.none() | st.text(max_size=5),
    ),
    max_size=4,
)
HIT = ClaimCheck(
    0,
    "supported",
    ClaimState.AFFECTED,
    Severity.MATERIAL,
    (
        Cause(
            CauseKind.NEWER_VERSION,
            ClaimState.AFFECTED,
            "café",
            cited_tx=8_999_999_999_999_998,
            start=0,
            end=5,
            winning_tx=8_999_999_999_999_999,
        ),
    ),
    (Caveat.VERIFICATION_UNAVAILABLE,),
    8_999_999_999_999_999,
    "fire",
)


def stored(**changed: object) -> str:
    body = json.loads(claims_json.dumps([HIT]))
    body["claims"][0] |= changed
    return json.dumps(body)


@given(CLAIMS)
def test_what_was_stored_comes_back(claims: list[ClaimCheck]) -> None:
    assert claims_json.loads(claims_json.dumps(claims)) == tuple(claims)


@given(CLAIMS)
def test_the_same_claims_are_the_same_text(claims: list[ClaimCheck]) -> None:
    text = claims_json.dumps(claims)
    assert claims_json.dumps(claims_json.loads(text)) == text


def test_the_text_is_what_the_specification_says() -> None:
    assert claims_json.dumps([ClaimCheck(3, "partial"), HIT]) == (
        '{"claims":['
        '{"causes":[],"caveats":[],"idx":3,"state":"ok","verdict_at_save":"partial"},'
        '{"causes":[{"cited_tx":8999999999999998,"end":5,"kind":"newer_version","source_id":"café",'
        '"start":0,"state":"affected","winning_tx":8999999999999999}],'
        '"caveats":["verification:unavailable"],"fire_id":"fire","idx":0,'
        '"last_change_tx":8999999999999999,"severity":"material","state":"affected",'
        '"verdict_at_save":"supported"}'
        '],"v":1}'
    )


def test_no_claims() -> None:
    assert claims_json.dumps([]) == '{"claims":[],"v":1}'
    assert claims_json.loads('{"claims":[],"v":1}') == ()


def test_what_was_left_out_is_absent() -> None:
    [claim] = claims_json.loads(
        '{"v":1,"claims":[{"idx":0,"verdict_at_save":"supported","state":"ok"}]}'
    )
    assert claim == ClaimCheck(0, "supported")


@pytest.mark.parametrize("state", ["doubtful", "", "OK", "superseded"])
def test_an_unknown_state_fails_closed_to_affected(state: str) -> None:
    claims = claims_json.loads(stored(state=state))
    assert fold([claim.state for claim in claims]) is Status.STALE


def test_an_unknown_state_of_a_cause_fails_closed_too() -> None:
    [cause] = claims_json.loads(stored(causes=[_cause(state="doubtful")]))[0].causes
    assert cause.state is ClaimState.AFFECTED


def test_an_unknown_severity_fails_closed_to_material() -> None:
    assert claims_json.loads(stored(severity="grave"))[0].severity is Severity.MATERIAL


def test_a_cause_of_an_unknown_kind_is_left_out_and_the_state_stays() -> None:
    [claim] = claims_json.loads(stored(causes=[_cause(kind="eclipsed"), _cause()]))
    assert claim.causes == HIT.causes
    [claim] = claims_json.loads(stored(causes=[_cause(kind="eclipsed")]))
    assert (claim.causes, claim.state) == ((), ClaimState.AFFECTED)


def test_fields_of_a_later_version_are_left_out() -> None:
    text = stored(causes=[_cause(confidence=1)], mood="good")
    body = json.loads(text) | {"v": 2, "made_by": "later"}
    assert claims_json.loads(json.dumps(body)) == (HIT,)


def test_a_state_is_read_from_the_properties_of_an_answer() -> None:
    text = claims_json.dumps([HIT])
    assert claims_json.answer_state("stale", "material", text, ["no_claims"]) == AnswerState(
        Status.STALE, Severity.MATERIAL, (HIT,), (Caveat.NO_CLAIMS,)
    )
    assert claims_json.answer_state("superseded", None, text, None) == AnswerState(
        Status.SUPERSEDED, None, (HIT,), ()
    )


def _cause(**changed: object) -> dict[str, object]:
    held: dict[str, object] = json.loads(claims_json.dumps([HIT]))["claims"][0]["causes"][0]
    return held | changed
