"""Quotes against the stored text: code points, NFKC, one blank for a run (DESIGN §4, G18)."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.quotes import same_quote

V1 = "Terms\r\nFee: €2m\r\nEnd"
V2 = V1.replace("\r\n", "\n")
SPACED = "The fee\u00a0cap is\u2009€2\u202f000\u202f000."


@dataclass(frozen=True)
class Case:
    id: str
    quote: str
    stored: str
    same: bool


CASES = [
    Case("the very text", "€2m", "€2m", True),
    Case("plain blanks for special ones", "fee cap is €2 000 000", SPACED[4:25], True),
    Case("another amount in it", "fee cap is €2 000 001", SPACED[4:25], False),
    Case("line ends of Windows", "Terms\nFee", "Terms\r\nFee", True),
    Case("a run of blanks is one", "a  \t\n b", "a b", True),
    Case("one blank is not none", "a b", "ab", False),
    Case("a blank before counts", " a", "a", False),
    Case("a blank after counts", "a ", "a", False),
    Case("a blank of any kind after", "a\u00a0", "a\n", True),
    Case("composed and decomposed", "Cafe\u0301", "Caf\u00e9", True),
    Case("wide letters", "\uff21\uff22\uff23", "ABC", True),
    Case("a ligature", "o\ufb03ce", "office", True),
    Case("a full-width digit", "\uff12", "2", True),
    Case("capitals are not folded", "FEE", "fee", False),
    Case("an accent is not dropped", "Cafe", "Caf\u00e9", False),
    Case("a minus sign is not a hyphen", "\u22122", "-2", False),
    Case("a curly apostrophe is not a straight one", "don\u2019t", "don't", False),
    Case("an astral character", "\U0001f600", "\U0001f600", True),
    Case("another astral character", "\U0001f600", "\U0001f601", False),
    Case("nothing is nothing", "", "", True),
    Case("nothing is not a blank", "", " ", False),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_same_quote(case: Case) -> None:
    assert same_quote(case.quote, case.stored) is case.same
    assert same_quote(case.stored, case.quote) is case.same


def test_spans_count_code_points_of_the_stored_text() -> None:
    assert (len(V1), V1[12:15]) == (20, "€2m")
    assert (len(V2), V2[11:14]) == (18, "€2m")
    assert len(SPACED) == 26
    assert same_quote("€2m", V1[12:15])
    assert not same_quote("€2m", V2[12:15])


def test_an_astral_character_is_one_code_point_not_two_units_of_utf_16() -> None:
    stored = "\U0001f4b6\U0001f4b6 fee \u20ac2m"
    assert len(stored.encode("utf-16-le")) // 2 == len(stored) + 2
    assert same_quote("fee \u20ac2m", stored[3:10])
    assert not same_quote("fee \u20ac2m", stored[5:12])


@given(st.text())
def test_a_text_is_its_own_quote(text: str) -> None:
    assert same_quote(text, text)


@given(st.lists(st.text("ab€2", min_size=1)), st.sampled_from(["\n", "\r\n", "\t ", "\u202f"]))
def test_line_ends_and_blanks_make_no_difference(words: list[str], blank: str) -> None:
    assert same_quote(blank.join(words), " ".join(words))


@given(st.text("abc1 "), st.text("abc1 "))
def test_other_words_are_another_quote(one: str, other: str) -> None:
    squeezed = [" ".join(f".{text}.".split()) for text in (one, other)]
    assert same_quote(f".{one}.", f".{other}.") is (squeezed[0] == squeezed[1])
