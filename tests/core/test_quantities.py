"""Quantities: what is read, in which form it is the same, and what stays in doubt."""

from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.bounds import Bound
from app.core.plain import plain
from app.core.quantities import Agreement, Family, Quantity, agreement, quantities


def only(text: str, language: str = "en") -> Quantity:
    [found] = quantities(plain(text, language or "en"), language)
    return found


@dataclass(frozen=True)
class Pair:
    one: str
    other: str
    verdict: Agreement
    language: str = "en"


SAME, RIVAL, UNSURE = Agreement.EQUAL, Agreement.RIVAL, Agreement.UNSURE
PAIRS = [
    Pair("€2m", "€2,000,000", SAME),
    Pair("€2m", "EUR 2\u202f000\u202f000", SAME),
    Pair("€2m", "two million euros", SAME),
    Pair("€2m", "2 Mio. EUR", SAME),
    Pair("€2m", "€2.04m", RIVAL),
    Pair("€2.000.000,00", "€2,000,000.00", SAME),
    Pair("1.234.567,89 €", "€1,234,567.89", SAME),
    Pair("CHF 1'234.50", "CHF 1,234.50", SAME),
    Pair("4.275 €", "€4,275", SAME),
    Pair("€4.275", "€4,275", RIVAL),
    Pair("€4.275", "€4,275", UNSURE, ""),
    Pair("$1.5bn", "$1.5 million", RIVAL),
    Pair("USD 2 million", "EUR 2 million", RIVAL),
    Pair("US $5,000", "5000 US dollars", SAME),
    Pair("€20/month", "€20 per year", RIVAL),
    Pair("2,5 %", "2.5%", SAME),
    Pair("5%", "500 bps", SAME),
    Pair("5%", "5 percentage points", Agreement.OTHER),
    Pair("5%", "5.5%", RIVAL),
    Pair("2 to 3 percent", "2-3 %", SAME),
    Pair("2 to 3 percent", "2.5 percent", RIVAL),
    Pair("3 March 2026", "March 3rd, 2026", SAME),
    Pair("3 March 2026", "2026-03-03", SAME),
    Pair("2015-09-30", "2015-09-13", RIVAL),
    Pair("March 2026", "3 March 2026", SAME),
    Pair("3 March 2026", "March 2026", UNSURE),
    Pair("12/03/2026", "2026-03-12", UNSURE),
    Pair("13/03/2026", "2026-03-13", SAME),
    Pair("Q3 2025", "the third quarter of 2025", SAME),
    Pair("on Monday", "on Thursday", RIVAL),
    Pair("in 2014", "in 2015", RIVAL),
    Pair("9 pm", "21 pm", RIVAL),
    Pair("24 months", "two years", SAME),
    Pair("two weeks", "14 days", SAME),
    Pair("24 hours", "1 business day", RIVAL),
    Pair("24 hours", "the 24-hour window", SAME),
    Pair("30 days", "one month", UNSURE),
    Pair("10 days", "one month", RIVAL),
    Pair("ninety (90) days", "90 days", SAME),
    Pair("2 GB", "2,000 MB", SAME),
    Pair("-5 °C", "5 °C", RIVAL),
    Pair("about 1,000 customers", "990 customers", SAME),
    Pair("about 1,000 customers", "900 customers", RIVAL),
    Pair("2040 units", "2140 units", RIVAL),
    Pair("Section 4.2", "Section 4.3", RIVAL),
    Pair("Section 5", "5 seats", Agreement.OTHER),
]


def name(pair: Pair) -> str:
    """Name a case in ASCII: pytest escapes the rest, and does not find it by that name again."""
    return ascii(f"{pair.one} / {pair.other}").replace("\\", "~")


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_agreement(pair: Pair) -> None:
    one, other = only(pair.one, pair.language), only(pair.other, pair.language)
    assert agreement(one, other) is pair.verdict


def read(text: str) -> list[tuple[str, str]]:
    return [(each.family.value, each.text) for each in quantities(plain(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In 2025 the cap was €2,000.", [("date", "2025"), ("amount", "€2,000")]),
        ("Transfer 2040 to Oke", [("count", "2040")]),
        ("Founded in 1998 with 12 staff.", [("date", "1998"), ("count", "12")]),
        ("Room 2024 seats 40.", [("reference", "Room 2024"), ("count", "40")]),
        ("AES-256 under ISO 27001", [("reference", "AES-256"), ("reference", "ISO 27001")]),
        ("Sections 2.4 and 4.", [("reference", "Sections 2.4"), ("count", "4")]),
        ("17 CFR 744", [("count", "17"), ("count", "744")]),
        ("CA 94107", [("count", "94107")]),
        ("version 1.2.3", [("reference", "version 1.2.3")]),
        ("2017-09-21T20:10:10Z", [("date", "2017-09-21"), ("date", "20:10:10Z")]),
        ("6. **GitHub May Disable Access.**", []),
        ("**18.5** *No Publicity.* It may.", []),
        ("1.5 GB is free", [("count", "1.5 GB")]),
        ("no one and nothing", []),
    ],
)
def test_what_is_read(text: str, found: list[tuple[str, str]]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("at least 10 staff", Bound.LEAST),
        ("a minimum of 10 staff", Bound.LEAST),
        ("10 staff or more", Bound.LEAST),
        ("no more than ten staff", Bound.MOST),
        ("up to 10 staff", Bound.MOST),
        ("within 10 days", Bound.MOST),
        ("no later than 10 days", Bound.MOST),
        ("the maximum number of staff is 10", Bound.MOST),
        ("around 10 staff", Bound.ABOUT),
        ("10 staff", Bound.EXACT),
    ],
)
def test_bounds(text: str, bound: Bound) -> None:
    assert only(text).bound is bound


@given(st.integers(0, 10**12), st.sampled_from(["", " EUR", " %", " days", " seats"]))
def test_a_number_is_read_as_itself_with_and_without_thousands(number: int, unit: str) -> None:
    bare, grouped = only(f"x {number}{unit}"), only(f"x {number:,}{unit}")
    assert agreement(bare, grouped) is Agreement.EQUAL
    assert isinstance(bare.readings[0], Decimal)


@given(st.text())
def test_quantities_lie_in_order_and_are_what_the_text_says(text: str) -> None:
    said = plain(text)
    end = 0
    for each in quantities(said):
        assert end <= each.start < each.end
        assert each.text == said[each.start : each.end]
        assert each.family is not Family.AMOUNT or each.unit
        end = each.end
