"""Text of others is shown, never obeyed."""

import io

import pytest
from rich.console import Console

from app.surfaces.cli.shared import console
from app.surfaces.cli.text import NONE, Listing, cell, plain, when, window
from tests.builders import NOON


@pytest.mark.parametrize("code", [*range(32), *range(0x7F, 0xA0), 0x202E, 0x2066, 0xDC80])
def test_only_tab_and_newline_of_all_control_characters_pass(code: int) -> None:
    kept = chr(code) in "\t\n"

    assert (plain(chr(code)) == chr(code)) is kept
    assert plain(chr(code)).encode()


def test_line_endings_of_two_characters_are_one_line_break() -> None:
    assert plain("a\r\nb") == "a\nb"


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/]", "caf\u00e9 \u4e2d\u6587 \U0001f600", ""])
def test_other_text_is_literal(text: str) -> None:
    assert cell(text).plain == text
    assert cell(text).spans == []


def test_nothing_is_a_dash_and_zero_is_zero() -> None:
    assert (cell(None).plain, cell(0).plain) == (NONE, "0")
    assert (when(None), when(0)) == (NONE, "1970-01-01T00:00:00Z")


def test_an_open_end_is_said_in_words() -> None:
    assert window(0, None) == "1970-01-01T00:00:00Z until further notice"
    assert window(0, NOON) == "1970-01-01T00:00:00Z until 2026-03-01T12:00:00Z"


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")

    assert console().no_color


UID = "3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"


def drawn(rows: list[list[str]], width: int) -> list[list[str]]:
    out = io.StringIO()
    Console(file=out, width=width).print(Listing(["id", "title"], rows))
    return [line.split() for line in out.getvalue().splitlines()]


def test_rows_that_fit_are_a_table() -> None:
    assert drawn([[UID, "a"], [UID, "b"]], 80) == [["id", "title"], [UID, "a"], [UID, "b"]]


def test_rows_too_wide_for_a_table_are_blocks() -> None:
    assert drawn([[UID, "a" * 20], [UID, "b"]], 59) == [
        ["id", UID],
        ["title", "a" * 20],
        [],
        ["id", UID],
        ["title", "b"],
    ]


def test_a_long_text_is_folded_in_a_table_and_the_first_column_is_whole() -> None:
    lines = drawn([[UID, "word " * 40]], 80)

    assert lines[0] == ["id", "title"]
    assert lines[1][0] == UID
    assert len(lines) > 3


def test_no_rows_are_a_heading() -> None:
    assert drawn([], 80) == [["id", "title"]]
