"""Instants to the digit: integers and RFC 3339 with an offset, nothing else (DESIGN §4, G5)."""

import ast
import contextlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core import instants
from app.core.errors import Invalid
from app.core.instants import DAY, FOREVER, HOUR, LATEST, MINUTE, SECOND, bound, instant, rfc3339

IN_RANGE = st.integers(0, LATEST)
NEW_YEAR = 1_767_225_600_000_000


@dataclass(frozen=True)
class Given:
    id: str
    value: object
    micros: int


@dataclass(frozen=True)
class Wrong:
    id: str
    value: object


ACCEPTED = [
    Given("seven microseconds", "2026-01-01T00:00:00.000007Z", NEW_YEAR + 7),
    Given("first of the same millisecond", 1767225600123456, NEW_YEAR + 123456),
    Given("second of the same millisecond", "1767225600123789", NEW_YEAR + 123789),
    Given("largest odd digits", 8999999999999999, 8999999999999999),
    Given("the same as digits", "8999999999999999", 8999999999999999),
    Given("the last instant", LATEST, 9_000_000_000_000_000),
    Given("the last instant as digits", "9000000000000000", LATEST),
    Given("the first instant", 0, 0),
    Given("the epoch", "1970-01-01T00:00:00Z", 0),
    Given("seconds by mistake stay what they are", 1767225600, 1767225600),
    Given("so do the digits of seconds", "1767225600", 1767225600),
    Given("leading zeros", "0007", 7),
    Given("an offset", "2026-03-01T20:00:00+09:00", 1772362800000000),
    Given("a negative offset", "2026-03-01T06:00:00-05:00", 1772362800000000),
    Given("an offset with minutes", "2026-03-01T16:30:00+05:30", 1772362800000000),
    Given("an offset that crosses the year", "2026-01-01T00:30:00+01:00", NEW_YEAR - HOUR // 2),
    Given("small letters", "2026-01-01t00:00:00z", NEW_YEAR),
    Given("a blank between", "2026-01-01 00:00:00Z", NEW_YEAR),
    Given("one digit of a fraction", "2026-01-01T00:00:00.5Z", NEW_YEAR + 500_000),
    Given("nine digits that end in zeros", "2026-01-01T00:00:00.123456000Z", NEW_YEAR + 123456),
    Given("a fraction with an offset", "2026-01-01T01:00:00.000007+01:00", NEW_YEAR + 7),
    Given("a leap day", "2024-02-29T00:00:00Z", 1709164800000000),
]

REFUSED = [
    Wrong("beyond the range", "2500-01-01T00:00:00.123457Z"),
    Wrong("one beyond the range", LATEST + 1),
    Wrong("2^53 + 1", 9007199254740993),
    Wrong("2^63", 9223372036854775808),
    Wrong("2^63 as digits", "9223372036854775808"),
    Wrong("forever is no instant", FOREVER),
    Wrong("so large that it has no decimal text", 10**5000),
    Wrong("twenty digits", "00000000000000000001"),
    Wrong("negative", -1),
    Wrong("before the epoch", "1969-12-31T23:59:59.999999Z"),
    Wrong("before the epoch by its offset", "1970-01-01T00:00:00+00:01"),
    Wrong("a float", 1767225600000007.0),
    Wrong("a whole float", 1.0),
    Wrong("scientific notation", "1.7672256e15"),
    Wrong("a decimal point", "1767225600000007.0"),
    Wrong("a sign", "+1767225600"),
    Wrong("a minus sign", "-1"),
    Wrong("digits of another script", "١٢٣"),
    Wrong("blanks around", " 1767225600 "),
    Wrong("a newline after", "2026-01-01T00:00:00Z\n"),
    Wrong("true", True),
    Wrong("false", False),
    Wrong("nothing", None),
    Wrong("empty", ""),
    Wrong("bytes", b"0"),
    Wrong("a list", [0]),
    Wrong("a leap second", "2016-12-31T23:59:60Z"),
    Wrong("no offset", "2026-03-01T11:00:00"),
    Wrong("a date alone", "2026-03-01"),
    Wrong("a zone name", "2026-03-01T11:00:00 UTC"),
    Wrong("an offset without colon", "2026-03-01T11:00:00+0900"),
    Wrong("an offset of a day", "2026-03-01T11:00:00+24:00"),
    Wrong("an offset of 99 minutes", "2026-03-01T11:00:00+01:99"),
    Wrong("no seconds", "2026-03-01T11:00Z"),
    Wrong("hour 24", "2026-03-01T24:00:00Z"),
    Wrong("minute 60", "2026-03-01T11:60:00Z"),
    Wrong("no such day", "2026-02-29T00:00:00Z"),
    Wrong("month 13", "2026-13-01T00:00:00Z"),
    Wrong("year 0", "0000-01-01T00:00:00Z"),
    Wrong("finer than a microsecond", "2026-01-01T00:00:00.1234567Z"),
    Wrong("an empty fraction", "2026-01-01T00:00:00.Z"),
    Wrong("a decimal comma", "2026-01-01T00:00:00,5Z"),
    Wrong("a week date", "2026-W01-1T00:00:00Z"),
]


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.id)
def test_accepted_to_the_microsecond(case: Given) -> None:
    assert instant(case.value, field="at") == case.micros


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_refused_naming_the_field_and_not_repeating_the_value(case: Wrong) -> None:
    with pytest.raises(Invalid) as refused:
        instant(case.value, field="validFrom")
    assert (refused.value.code, refused.value.field) == ("INSTANT_INVALID", "validFrom")
    assert refused.value.hint is not None
    if isinstance(case.value, str) and len(case.value) > 2:
        assert case.value not in refused.value.message


@given(IN_RANGE)
def test_every_instant_comes_back_from_its_text(at: int) -> None:
    assert instant(rfc3339(at), field="at") == at


@given(IN_RANGE)
def test_every_instant_comes_back_from_its_digits(at: int) -> None:
    assert instant(str(at), field="at") == instant(at, field="at") == at


@given(IN_RANGE, st.integers(-23 * 60 - 59, 23 * 60 + 59))
def test_an_offset_names_the_same_instant(at: int, minutes: int) -> None:
    local = at + minutes * MINUTE
    if not 0 <= local <= LATEST:
        return
    sign, far = "-" if minutes < 0 else "+", abs(minutes)
    text = rfc3339(local).replace("Z", f"{sign}{far // 60:02}:{far % 60:02}")
    assert instant(text, field="at") == at


@given(IN_RANGE, IN_RANGE)
def test_texts_of_whole_seconds_sort_as_their_instants_do(one: int, other: int) -> None:
    one, other = one - one % SECOND, other - other % SECOND
    assert (rfc3339(one) < rfc3339(other)) == (one < other)


@given(st.text(max_size=30))
def test_any_text_is_an_instant_in_range_or_refused(text: str) -> None:
    with contextlib.suppress(Invalid):
        assert 0 <= instant(text, field="at") <= LATEST


def test_a_fraction_is_shown_only_where_there_is_one() -> None:
    assert rfc3339(NEW_YEAR) == "2026-01-01T00:00:00Z"
    assert rfc3339(NEW_YEAR + 7) == "2026-01-01T00:00:00.000007Z"
    assert rfc3339(LATEST) == "2255-03-14T16:00:00Z"


def test_an_open_end_is_shown_as_null() -> None:
    assert bound(FOREVER) is None
    assert bound(LATEST) == LATEST
    assert bound(0) == 0


def test_the_units() -> None:
    assert (SECOND, MINUTE, HOUR, DAY) == (10**6, 6 * 10**7, 36 * 10**8, 864 * 10**8)
    assert FOREVER == 9_223_372_036_854_775_807


def test_nothing_in_the_module_divides_or_names_a_float() -> None:
    tree = ast.parse(Path(instants.__file__).read_text())
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Div), "true division gives a float"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            assert name not in ("float", "timestamp", "fromtimestamp", "total_seconds")
