"""What stands where a cited span stood: found, replaced, gone or not certain; never a lookalike."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.quotes import same_quote
from app.core.spans import Found, Lost, Span, Why, added, compare, current_span, is_moved, widened
from app.core.typos import same_word
from tests.corpora import transitions

CORPORA = ("site-policy", "endoflife", "agrc-status")


def current(old: str, new: str, quote: str) -> tuple[str, str]:
    start = old.index(quote)
    span = current_span(compare(old, new), start, start + len(quote))
    return ("lost", span.why) if isinstance(span, Lost) else (span.kind, new[span.start : span.end])


@dataclass(frozen=True)
class Case:
    id: str
    old: str
    new: str
    quote: str
    kind: str
    text: str


FEES = "Intro is here. The fee is €2m per year. It is due in May. The end is near."
CASES = [
    Case("untouched", FEES, FEES, "€2m", "same", "€2m"),
    Case("text before", FEES, "New first words. " + FEES, "€2m", "same", "€2m"),
    Case(
        "another number", FEES, FEES.replace("2m", "3m"), "€2m",
        "replaced", "The fee is €3m per year.",
    ),
    Case(
        "the sentence is gone", FEES, FEES.replace(" The fee is €2m per year.", ""), "€2m",
        "lost", "gone",
    ),
    Case("line ends", "Terms\r\nFee: €2m\r\nEnd", "Terms\nFee: €2m\nEnd", "€2m", "same", "€2m"),
    Case("a blank more", "A b c d e.\n\nF.", "A b  c d\ne.\n\nF.", "c d e", "same", "c d\ne"),
    Case(
        "it moved as a whole",
        "A is one. Invoices are payable within 30 days. B is two. C is three.",
        "A is one. B is two. C is three. Invoices are payable within 30 days.",
        "30 days", "same", "30 days",
    ),
    Case(
        "a lookalike elsewhere",
        "# A\nThe fee is due. Pay it soon please.\n# B\nThe tax is due. The fee is due.",
        "# A\nNothing of this kind.\n# B\nThe tax is due. The fee is due.",
        "The fee is due", "lost", "gone",
    ),
    Case(
        "the item of a list of data",
        '- cycle: "1"\n  eol: 2022\n- cycle: "2"\n  eol: 2023',
        '- cycle: "3"\n  eol: 2022\n- cycle: "1"\n  eol: 2024\n- cycle: "2"\n  eol: 2023',
        "2022", "replaced", "eol: 2024",
    ),
    Case(
        "the item is gone, another has its value",
        '- cycle: "1"\n  eol: 2022\n- cycle: "2"\n  eol: 2023',
        '- cycle: "2"\n  eol: 2022',
        "2022", "lost", "gone",
    ),
    Case(
        "a list that grew", "Regions:\n- EU\n- US\n\nEnd.", "Regions:\n- EU\n- US\n- UK\n\nEnd.",
        "EU", "replaced", "Regions:\n- EU\n- US\n- UK",
    ),
    Case(
        "split in two",
        "Some intro. The fee is due in May and the tax is due in June of the year. End of it.",
        "Some intro. The fee is due in May. The tax is due in June of the year. End of it.",
        "fee", "replaced", "The fee is due in May. The tax is due in June of the year.",
    ),
    Case(
        "two that could be it",
        "A is here. The fee for seats is due in May. B is here.",
        "A is here. The fee for seats is due in June. The fee for seats is due in July. B is here.",
        "May", "lost", "ambiguous",
    ),
    Case(
        "the same short words among other text",
        "# Fees\n\nAlpha is due. Yes it is. Beta was due.",
        "# Taxes\n\nGamma may rise. Yes it is. Delta can fall.",
        "Yes it is.", "lost", "ambiguous",
    ),
    Case(
        "the same short words elsewhere",
        "Yes it is. Alpha is due. Beta was due. Gamma is here.",
        "Alpha is due. Beta was due. Gamma is here. Yes it is.",
        "Yes it is.", "lost", "gone",
    ),
    Case("the text is empty now", FEES, "", "€2m", "lost", "gone"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_current_span(case: Case) -> None:
    assert current(case.old, case.new, case.quote) == (case.kind, case.text)


def test_code_points_of_g18() -> None:
    mapping = compare("Terms\r\nFee: €2m\r\nEnd", "Terms\nFee: €2m\nEnd")
    assert current_span(mapping, 12, 15) == Span(11, 14, Found.SAME)


def test_an_empty_span_has_no_current_one() -> None:
    assert current_span(compare(FEES, FEES), 14, 14) == Lost(Why.GONE)


def test_a_value_under_another_heading_is_moved() -> None:
    old = "# Fees\nThe amount is due at the end of May.\n# Taxes\nNone."
    new = "# Fees\nNone.\n# Taxes\nThe amount is due at the end of May."
    start = old.index("May")
    mapping = compare(old, new)
    span = current_span(mapping, start, start + 3)
    assert isinstance(span, Span)
    assert is_moved(mapping, start, span)


def test_a_row_under_another_header_is_moved() -> None:
    old = "| Plan | Seats | Guests |\n|---|---|---|\n| Basic | 5 | 10 |"
    mapping = compare(old, old.replace("Seats | Guests", "Guests | Seats"))
    start = old.index("Basic")
    span = current_span(mapping, start, start + 5)
    assert isinstance(span, Span)
    assert span.kind is Found.SAME
    assert is_moved(mapping, start, span)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("### E. Fees\nDue in May.", "### F. Fees\nDue in May."),
        ("latestRelaseDate: 2022", "latestReleaseDate: 2022"),
    ],
)
def test_a_renumbered_heading_and_a_repaired_key_move_nothing(old: str, new: str) -> None:
    mapping = compare(old, new)
    span = current_span(mapping, len(old) - 3, len(old))
    assert isinstance(span, Span)
    assert not is_moved(mapping, len(old) - 3, span)


def test_widened_to_whole_units_and_what_is_added() -> None:
    new = FEES.replace("2m", "3m") + " One more is here."
    mapping = compare(FEES, new)
    start = FEES.index("€2m")
    assert FEES[slice(*widened(mapping, start, start + 3))] == "The fee is €2m per year."
    span = current_span(mapping, start, start + 3)
    assert added(mapping, span) == ("One more is here.",)
    assert added(mapping) == ("The fee is €3m per year.", "One more is here.")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Luhasnk", "Luhansk", True),
        ("intiating", "initiating", True),
        ("ocassionaly", "occasionally", True),
        ("latestRelaseDate", "latestReleaseDate", True),
        ("Maria", "Mario", False),
        ("contact", "contract", False),
        ("mediation", "medication", False),
        ("refundable", "nonrefundable", False),
        ("1234567", "1243567", False),
        ("accept", "except", False),
    ],
)
def test_a_typo_is_no_other_word(one: str, other: str, same: bool) -> None:
    assert same_word(one, other) is same_word(other, one) is same


SENTENCES = st.lists(
    st.sampled_from(
        [f"The {a} is {n} days." for a in ("fee", "term of it", "tax") for n in (1, 2, 30)]
        + ["# Head\n", "\n\n", "key: 1\n", "Short.", "- an item of it\n"]
    ),
    min_size=1,
    max_size=12,
)


@given(SENTENCES, SENTENCES, st.data())
def test_a_found_text_is_the_cited_text(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    before, after = " ".join(old), " ".join(new)
    start = data.draw(st.integers(0, len(before) - 1))
    end = data.draw(st.integers(start + 1, len(before)))
    span = current_span(compare(before, after), start, end)
    if isinstance(span, Span):
        assert 0 <= span.start < span.end <= len(after)
        if span.kind is Found.SAME:
            cited = before[start:end].strip(" \n#-")
            assert same_quote(after[span.start : span.end].strip(" \n#-"), cited)


@given(SENTENCES, SENTENCES, st.sampled_from(["before", "after"]))
def test_a_lookalike_never_wins(around: list[str], other: list[str], where: str) -> None:
    """The cited sentence is deleted in its section; the same words stand in another one."""
    cited = "The cited fee is 7 days."
    here = ["# Here\n\n", *around, cited, "Last of it.\n\n"]
    there = ["# There\n\n", *other, cited, "\n\n"]
    old = " ".join([*there, *here] if where == "before" else [*here, *there])
    start = old.rindex(cited) if where == "before" else old.index(cited)
    new = old[:start] + old[start + len(cited) :]
    span = current_span(compare(old, new), start, start + len(cited))
    assert isinstance(span, Lost) or new[span.start : span.end] != cited


@given(SENTENCES, st.integers(0, 3))
def test_nothing_changed_then_every_span_is_found_where_it_was(parts: list[str], at: int) -> None:
    text = " ".join(parts)
    mapping = compare(text, text)
    for unit in mapping.old_units:
        middle = min(unit.start + at, unit.end - 1)
        assert current_span(mapping, middle, unit.end) == Span(middle, unit.end, Found.SAME)


@pytest.mark.parametrize("corpus", CORPORA)
def test_labelled_changes(corpus: str) -> None:
    """Where the new span is known it is found; where the old one was deleted, nothing is."""
    for row, old, new in transitions(corpus):
        cited = row["old_span"] or old
        start = old.index(cited)
        span = current_span(compare(old, new), start, start + len(cited))
        if not new or (row["kind"] == "deletion"):
            assert isinstance(span, Lost), row["id"]
            continue
        assert isinstance(span, Span), row["id"]
        found = new[span.start : span.end]
        if row["old_span"] in new:
            assert (span.kind, found) == (Found.SAME, cited), row["id"]
        elif row["id"] not in ("sp-05", "sp-14"):  # their new text stands in other sentences
            assert row["new_span"].split("\n")[-1].strip() in found, row["id"]
