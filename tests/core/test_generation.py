"""Claims against the given passages: what stands there is evidence, the rest is refused."""

from collections.abc import Sequence

import pytest

from app.core.generation import (
    DraftClaim,
    Judgement,
    Passage,
    Quote,
    checked,
    located,
    unjudged,
)
from app.core.retrieval import Place, fused, scope_key, sought, words

PASSAGE = Passage(1, "cap", 7, 100, 130, "😀 The cap\n is €2m. It holds.")


def test_evidence_is_in_the_coordinates_of_the_stored_text() -> None:
    told = checked(DraftClaim("x", (Quote(1, "The cap is €2m."),)), [PASSAGE], unjudged)
    [evidence] = told.evidence
    assert (evidence.source_id, evidence.tx, evidence.start, evidence.end) == ("cap", 7, 102, 118)
    assert evidence.quote == "The cap\n is €2m."
    assert told.verdict is Judgement.UNVERIFIED


@pytest.mark.parametrize("quote", ["", " ", "€3m", "the cap", "holds. It", "word " * 401])
def test_what_does_not_stand_there_is_no_evidence(quote: str) -> None:
    told = checked(DraftClaim("x", (Quote(1, quote),)), [PASSAGE], unjudged)
    assert told.evidence == ()
    assert told.verdict is Judgement.UNSUPPORTED
    assert told.refused == ("the quote does not stand in passage 1",)


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_passage_that_was_not_given_is_no_evidence(number: int) -> None:
    told = checked(DraftClaim("x", (Quote(number, "It holds."),)), [PASSAGE], unjudged)
    assert (told.evidence, told.refused) == ((), (f"there is no passage {number}",))


def test_a_claim_without_quotes_is_unsupported_whatever_the_judge_says() -> None:
    told = checked(DraftClaim("x", ()), [PASSAGE], lambda *_: Judgement.SUPPORTED)
    assert told.verdict is Judgement.UNSUPPORTED


def test_a_claim_that_is_its_quote_is_supported_and_any_other_is_judged() -> None:
    asked: list[tuple[str, Sequence[str]]] = []

    def judge(claim: str, quotes: Sequence[str]) -> Judgement:
        asked.append((claim, quotes))
        return Judgement.PARTIAL

    same = DraftClaim("The cap is €2m.", (Quote(1, "The cap is €2m."),))
    other = DraftClaim("The cap is two million.", (Quote(1, "€2m"), Quote(1, "It holds.")))
    assert checked(same, [PASSAGE], judge).verdict is Judgement.SUPPORTED
    assert asked == []
    assert checked(other, [PASSAGE], judge).verdict is Judgement.PARTIAL
    assert asked == [("The cap is two million.", ["€2m", "It holds."])]


def test_a_quote_is_found_across_white_space_and_never_as_a_pattern() -> None:
    assert located("a  b", "x a\n\tb") == (2, 6)
    assert located(".*", "abc") is None
    assert located("a.c", "abc a.c") == (4, 7)


def test_words_that_carry_meaning_are_sought_or_all_if_none_does() -> None:
    assert words("What is the VAT of Germany, VAT?") == ["vat", "germany"]
    assert words("What is it?") == ["what", "is", "it"]
    assert words("?!") == []


def test_nothing_of_a_question_is_an_operator() -> None:
    query = sought('cap" OR text:* ) AND NOT (x^9 ~ [a TO b] \\', "acme", ())
    assert query is not None
    scope, _, text = query.partition(" +text:")
    assert scope == f"+scope_key:({scope_key('acme', 's').split()[0]})"
    assert text == "(cap text x 9 b)"
    assert sought("?", "acme", ()) is None


def test_scopes_differ_by_tenant_and_source() -> None:
    assert len({*scope_key("a", "s").split(), *scope_key("b", "s").split()}) == 4


def test_rankings_are_fused_and_ties_stand_in_the_order_of_coordinates() -> None:
    a, b, c = (Place(name, 1, 0, 1) for name in "abc")
    assert fused([[c, a], [c, b]], 3) == [c, a, b]
    assert fused([[b, a], [a, b]], 3) == [a, b]
    assert fused([[b], [a]], 1) == [a]
    assert fused([[a, a, b]], 3) == [a, b]
