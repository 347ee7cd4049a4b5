"""What a person reads where the core refuses: what is wrong, where, and what to do."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from app.core.errors import InvalidInput, Problem, TelhaError
from app.core.imports import Row, coordinates
from app.core.instants import LATEST, MINUTE, instant
from app.core.statements import checked_window, given_tx
from app.core.values import key, tenant_id, text

AHEAD = 5 * MINUTE
INSTANT = "Give integer microseconds or RFC 3339 with an offset, such as 2026-03-01T12:00:00Z."


@dataclass(frozen=True)
class Refusal:
    id: str
    call: Callable[[], object]
    told: str


REFUSALS = [
    Refusal(
        "a tx ahead of the clock",
        lambda: given_tx(AHEAD, clock=0, last=0),
        "300000000 is five minutes or more ahead of the clock (0) [tx] "
        "A tx names when a version was made; a validity in the future is valid_from.",
    ),
    Refusal(
        "a window that ends before it starts",
        lambda: checked_window(2, 1),
        "valid_from 2 is not before valid_to 1 [valid_to] "
        "A window is half-open: it holds from valid_from until just before valid_to.",
    ),
    Refusal(
        "a stamp ahead of the clock",
        lambda: list(coordinates([Row("line 1", author_ts=AHEAD)], clock=0)),
        "the stamp 300000000 is five minutes or more ahead of the clock (0) [line 1] "
        "Mend the row; nothing was imported.",
    ),
    Refusal("a float", lambda: instant(1.5, field="at"), f"float is no instant [at] {INSTANT}"),
    Refusal(
        "an instant out of range",
        lambda: instant(LATEST + 1, field="at"),
        f"lies outside [0, 9000000000000000] [at] {INSTANT}",
    ),
    Refusal(
        "a time without an offset",
        lambda: instant("2026-03-01T12:00:00", field="at"),
        f"is neither integer µs nor RFC 3339 with an offset [at] {INSTANT}",
    ),
    Refusal(
        "a day that is none",
        lambda: instant("2026-02-30T12:00:00Z", field="at"),
        f"is no date and time of the calendar [at] {INSTANT}",
    ),
    Refusal(
        "no tenant",
        lambda: tenant_id(""),
        "a tenant id has 1 to 64 of the characters A-Z a-z 0-9 _ - [tenant] "
        "Name the tenant; there is no default that means all.",
    ),
    Refusal(
        "an empty key",
        lambda: key("", field="sourceId"),
        "must be text, not empty, without control characters [sourceId]",
    ),
    Refusal(
        "a long key",
        lambda: key("k" * 4097, field="sourceId"),
        "has 4097 bytes, the limit is 4096 [sourceId]",
    ),
    Refusal("a number as text", lambda: text(7, field="text"), "must be text [text]"),
    Refusal(
        "half a character", lambda: text("\ud800", field="text"), "holds a lone surrogate [text]"
    ),
    Refusal(
        "a long text",
        lambda: text("x" * (4 * 2**20 + 1), field="text"),
        "has 4194305 bytes, the limit is 4194304 [text]",
    ),
]


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case.id)
def test_a_refusal_says_what_is_wrong_and_what_to_do(case: Refusal) -> None:
    with pytest.raises(TelhaError) as refused:
        case.call()
    assert str(refused.value) == case.told


def test_all_problems_of_an_input_are_told_under_one_code() -> None:
    refused = InvalidInput("TRACE_INVALID", [Problem("a", "is wrong"), Problem("b", "too")])
    assert (refused.code, str(refused)) == ("TRACE_INVALID", "a: is wrong; b: too")
