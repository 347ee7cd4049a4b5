"""Units of a text: where one ends, what it stands under, and that nothing is lost between them."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.sentences import Kind, place, plain_name, sentences, units

YAML = """---
title: Windows
# a comment is no heading
releases:
-   releaseCycle: "2016"
    eol: 2022-01-11

-   releaseCycle: "2019"
    eol: 2029-01-09
---
# Support
Windows is supported.
"""


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    units: list[str]


CASES = [
    Case("two sentences", "One is here. Two is there.", ["One is here.", "Two is there."]),
    Case("a question", "Is it? It is!", ["Is it?", "It is!"]),
    Case(
        "a number after max.", "Max. 10 seats. Min. 2 seats.", ["Max. 10 seats.", "Min. 2 seats."]
    ),
    Case("a numbered title", "See 4.2 Title for it.", ["See 4.2 Title for it."]),
    Case("a list number", "3. The fee is due.", ["3. The fee is due."]),
    Case("an initial", "Colin P. Kelly lives here.", ["Colin P. Kelly lives here."]),
    Case("an abbreviation", "Fees, e.g. Stripe fees. End.", ["Fees, e.g. Stripe fees.", "End."]),
    Case(
        "a wrapped sentence", "It goes\non here. Then stops.", ["It goes\non here.", "Then stops."]
    ),
    Case("paragraphs", "No full stop\n\nnor here", ["No full stop", "nor here"]),
    Case("Windows line ends", "A fee\r\n\r\nAn end", ["A fee", "An end"]),
    Case("a heading", "# Fees\nThe fee is due.", ["# Fees", "The fee is due."]),
    Case("a list under its line", "Regions:\n- EU\n- US", ["Regions:\n- EU\n- US"]),
    Case("a list without a line", "- EU\n- US", ["- EU", "- US"]),
    Case("sentences in an item", "- One is. Two is.", ["- One is.", "Two is."]),
    Case("lines of data", "eol: 2022\nlts: true", ["eol: 2022", "lts: true"]),
    Case("lines of TOML", 'date = 2022\nkind = "major"', ["date = 2022", 'kind = "major"']),
    Case("a colon in a sentence", "Note: it is, as ever, late.", ["Note: it is, as ever, late."]),
    Case("rows of a table", "| a | 1 |\n|---|---|\n| b | 2 |", ["| a | 1 |", "| b | 2 |"]),
    Case("marks alone", "---\n***\n", []),
    Case("nothing", "", []),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_units(case: Case) -> None:
    assert sentences(case.text) == case.units


def test_a_long_list_is_no_single_statement() -> None:
    text = "Regions:\n" + "\n".join(f"- region number {n} of many" for n in range(60))
    assert len(units(text)) == 61


def test_a_line_of_data_stands_under_the_item_that_it_belongs_to() -> None:
    paths = {YAML[u.start : u.end]: u.path for u in units(YAML) if u.kind is Kind.DATA}
    assert paths["eol: 2022-01-11"] == ("releases", "releaseCycle: 2016", "eol")
    assert paths["eol: 2029-01-09"] == ("releases", "releaseCycle: 2019", "eol")


def test_a_sentence_stands_under_its_headings() -> None:
    text = "# A. Terms\n## Fees\nDue now.\n## Ends\nNever.\n# Law\nOurs."
    found = units(text)
    assert place(found, text.index("Due")) == ("terms", "fees")
    assert place(found, text.index("Never")) == ("terms", "ends")
    assert place(found, text.index("Ours")) == ("law",)
    assert place(found, len(text)) == ()


def test_a_comment_in_a_front_matter_is_no_heading() -> None:
    assert place(units(YAML), YAML.index("Windows is")) == ("support",)


@pytest.mark.parametrize(
    "one", ["E. Repeated Infringement", "F. Repeated infringement", "4.2 Repeated  Infringement"]
)
def test_renumbering_renames_nothing(one: str) -> None:
    assert plain_name(one) == "repeated infringement"


TEXTS = st.lists(
    st.sampled_from(
        [
            *("A fee. ", "Due now! ", "\n", "\r\n", "- item\n", "# Head\n", "key: 1\n"),
            *("  - k: v\n", "| x | y |\n", "List:\n", "ab 4.2 ", "é\U0001f600 "),
        ]
    ),
    max_size=30,
).map("".join)


@given(TEXTS | st.text())
def test_units_lie_in_order_and_hold_every_word(text: str) -> None:
    end, between = 0, ""
    for unit in units(text):
        assert end <= unit.start < unit.end <= len(text)
        assert text[unit.start : unit.end] == text[unit.start : unit.end].strip()
        between += text[end : unit.start]
        end = unit.end
    assert not any(mark.isalnum() for mark in between + text[end:])
