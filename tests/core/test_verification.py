"""Rule 4 for one claim over all that it cites: every displaced citation, and every binding."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.rules import Verdict
from app.core.verification import Binding, Displaced, Doubt, Judgement, doubted, judge

CAP = "The cap is €2m."
STANDS = Displaced(cited=CAP, current=CAP)
REST = "It holds for a year."


def verdict(claim: str, *displaced: Displaced, **rest: object) -> Verdict:
    return judge(claim, displaced, rest.get("standing", ()), rest.get("bindings", ())).verdict  # type: ignore[arg-type]  # tuples of the builder


def test_a_citation_that_stands_elsewhere_in_the_version_clears() -> None:
    judged = judge(CAP, [STANDS], [], [])
    assert (judged.verdict, judged.material) == (Verdict.SUPPORTED, False)
    assert judged.reasons == ("unchanged: the text stands",)


@pytest.mark.parametrize("why", ["gone", "ambiguous", "no version wins"])
def test_a_citation_without_a_certain_span_clears_nothing(why: str) -> None:
    judged = judge(CAP, [STANDS, Displaced(CAP, None, why)], [CAP], [])
    assert judged.verdict is Verdict.UNSUPPORTED
    assert judged.reasons[0] == f"span: {why}"
    assert not judged.material


def test_one_citation_that_contradicts_outweighs_others() -> None:
    judged = judge(CAP, [STANDS, Displaced(CAP, "The cap is €5m.")], [CAP], [])
    assert (judged.verdict, judged.material) == (Verdict.UNSUPPORTED, True)


def test_a_contradiction_that_is_no_number_is_no_severity() -> None:
    judged = judge(CAP, [Displaced(CAP, "The cap is not €2m.")], [], [])
    assert (judged.verdict, judged.material) == (Verdict.UNSUPPORTED, False)


def test_citations_support_a_claim_together() -> None:
    claim = "The cap is €2m for a year."
    elsewhere = Displaced(cited="It holds for a year.", current="It holds as said above.")
    assert verdict(claim, elsewhere) is not Verdict.SUPPORTED
    assert verdict(claim, elsewhere, standing=[claim]) is Verdict.SUPPORTED


def test_an_addition_that_denies_a_standing_sentence_is_a_contradiction() -> None:
    denied = replace(STANDS, added=("The cap is no longer €2m.",))
    assert verdict(CAP, denied) is Verdict.UNSUPPORTED


def test_a_value_under_another_key_is_not_supported() -> None:
    assert verdict(CAP, replace(STANDS, moved=True)) is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CAP, Verdict.SUPPORTED),
        ("The cap is two million euro.", Verdict.SUPPORTED),
        ("The cap is €5m.", Verdict.UNSUPPORTED),
        ("It is per incident.", Verdict.UNSUPPORTED),
        ("", Verdict.UNSUPPORTED),
        (None, Verdict.UNSUPPORTED),
    ],
)
def test_a_binding_clears_only_by_what_it_says(text: str | None, expected: Verdict) -> None:
    assert verdict(CAP, standing=[CAP], bindings=[Binding(text, elsewhere=False)]) is expected


def test_a_binding_that_repeats_a_part_of_the_claim_clears() -> None:
    claim = "The cap is €2m per year."
    said = verdict(claim, standing=[claim], bindings=[Binding("Per year.", elsewhere=False)])
    assert said is Verdict.SUPPORTED


def test_a_binding_that_chose_another_version_does_not_clear() -> None:
    said = verdict(CAP, standing=[CAP], bindings=[Binding(CAP, elsewhere=True)])
    assert said is Verdict.UNSUPPORTED


@given(st.lists(st.sampled_from([STANDS, Displaced(CAP, "The cap is €5m."), Displaced(CAP, None)])))
def test_it_clears_only_where_every_displaced_citation_does(displaced: list[Displaced]) -> None:
    judged = judge(CAP, displaced, [CAP], [Binding(CAP, elsewhere=False)])
    assert (judged.verdict is Verdict.SUPPORTED) == all(each is STANDS for each in displaced)


JUDGEMENTS = st.builds(Judgement, st.sampled_from(Verdict), st.booleans(), st.just(("told",)))
DOUBTS = st.lists(st.builds(Doubt, st.booleans(), st.integers(0, 100)))


@given(JUDGEMENTS, DOUBTS)
def test_a_model_clears_nothing_and_takes_back_only_what_it_contradicts(
    before: Judgement, doubts: list[Doubt]
) -> None:
    after = doubted(before, "nli@1", doubts)
    if before.verdict is Verdict.SUPPORTED and any(each.first for each in doubts):
        assert (after.verdict, after.material) == (Verdict.PARTIAL, before.material)
        percent = max(each.percent for each in doubts if each.first)
        told = f"vetoed: nli@1 reads a contradiction ({percent} %)"
        assert after.reasons == (told, *before.reasons)
    else:
        assert after == before


def test_the_stronger_of_two_doubts_is_the_one_that_comes_first() -> None:
    weak, strong = Doubt(first=False, percent=49), Doubt(first=True, percent=40)
    assert max(weak, strong) == strong
    assert max(strong, Doubt(first=True, percent=90)).percent == 90
