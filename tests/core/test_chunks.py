"""Chunks: exact offsets, whole sentences, nothing lost, nothing twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.chunks import chunks, sentences

PIECES = st.sampled_from(
    ["The cap is €2m.", "It holds, e.g. for a year!", " ", "\n", "\n\n", "\r\n", "# Head", "- item",
     "1. one", "z. B. so", "😀", "e\u0301", "3.5 %", "Nr. 5", "\t", "word " * 30, "A B C"]
)  # fmt: skip


def told(text: str) -> list[str]:
    return [text[each.start : each.end] for each in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\n", []),
        ("The cap is €2m. It holds.", ["The cap is €2m.", "It holds."]),
        ("Is it? Yes! So…", ["Is it?", "Yes!", "So…"]),
        ("VAT is 16.5 %. See Art. 5 Abs. 2.", ["VAT is 16.5 %.", "See Art. 5 Abs. 2."]),
        (
            "Das gilt z. B. am 1. März. Danach nicht.",
            ["Das gilt z. B. am 1. März.", "Danach nicht."],
        ),
        ("He said “no.” Then he left.", ["He said “no.”", "Then he left."]),
        ("wrapped\nprose goes on.\n\nAnother.", ["wrapped\nprose goes on.", "Another."]),
        ("# Head\ntext below", ["# Head", "text below"]),
        ("- one\n- two\n  more of two", ["- one", "- two\n  more of two"]),
        ("1. one\n2. two", ["1. one", "2. two"]),
        ("without end", ["without end"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@given(st.lists(PIECES, max_size=40).map("".join))
def test_all_that_is_not_blank_is_in_exactly_one_chunk(text: str) -> None:
    for spans in (sentences(text), chunks(text)):
        held = [at for span in spans for at in range(span.start, span.end)]
        assert len(held) == len(set(held))
        assert {at for at, sign in enumerate(text) if not sign.isspace()} <= set(held)
        assert all(not text[s.start].isspace() and not text[s.end - 1].isspace() for s in spans)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_sentence_is_split_between_chunks(text: str) -> None:
    found = chunks(text)
    for sentence in sentences(text):
        assert [c for c in found if c.start <= sentence.start and sentence.end <= c.end]


def test_chunks_have_eighty_to_a_hundred_and_twenty_words() -> None:
    text = " ".join(f"Sentence number {n} has exactly seven words." for n in range(100))
    sizes = [len(text[each.start : each.end].split()) for each in chunks(text)]
    assert all(80 <= size <= 120 for size in sizes[:-1])


def test_a_heading_begins_a_chunk() -> None:
    assert len(chunks("# One\n\nText.\n\n# Two\n\nText.")) == 2


def test_a_text_without_sentences_is_cut_at_lines() -> None:
    lines = "\n".join(f"row {n},value {n}" for n in range(500))
    assert len(chunks(lines)) > 5


def test_a_megabyte_is_cut_quickly() -> None:
    text = "The cap is €2m. It holds for a year.\n\n" * 25_000
    assert len(chunks(text)) > 1_000
    assert chunks("x" * 1_000_000)
    assert chunks(". " * 500_000) is not None
