"""Quantities in a text: amounts, percentages, dates, durations, counts, with their comparators.

Values are exact: `Decimal`, whole days, instants in UTC. What can be read in two ways keeps both
readings, and is then neither equal to one of them nor different from it (DESIGN §5).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Final

from app.core.bounds import Bound, bound_at
from app.core.measures import (
    CURRENCIES,
    DURATIONS,
    MEASURES,
    MONTHS,
    SCALES,
    SHORT_SCALES,
    WEEKDAYS,
    WORKING,
)


class Family(StrEnum):
    """What a quantity is of; quantities of different families are never compared."""

    AMOUNT = "amount"
    PERCENT = "percent"
    DATE = "date"
    DURATION = "duration"
    COUNT = "count"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value, or every reading of one, in a unit; ``low`` and ``high`` differ in a range."""

    family: Family
    readings: tuple[str | Decimal, ...]
    unit: str
    start: int
    end: int
    text: str
    bound: Bound = Bound.EXACT
    high: Decimal | None = None
    per: str = ""
    noun: str = ""


class Agreement(StrEnum):
    """What comparing two quantities showed."""

    EQUAL = "equal"
    UNSURE = "unsure"
    RIVAL = "rival"
    OTHER = "other"


_NUMBER: Final = r"\d+(?:[.,' ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?"
_WORD: Final = r"[^\W\d_]+"
_MONTH: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_SYMBOL: Final = r"US ?\$|[€$£¥]"
_CODE: Final = "|".join(sorted((c for c in CURRENCIES if c.isalpha()), key=len, reverse=True))
_STAMP: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?))?(?![\w-])"
)
_DATE: Final = re.compile(
    rf"(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<m1>{_MONTH})\b\.?(?:,? (?P<y1>\d{{4}}))?"
    rf"|\b(?P<m2>{_MONTH})\b\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y2>\d{{4}}))?"
    rf"|\b(?P<m3>{_MONTH})\b\.?,? (?P<y3>\d{{4}})"
    r"|(?<![\w/.])(?P<n1>\d{1,2})[/.](?P<n2>\d{1,2})[/.](?P<y4>\d{4})(?![\w/])"
    r"|\bQ(?P<q1>[1-4])[ /-]?(?P<y5>\d{4})"
    r"|(?P<q2>[1-4])(?:st|nd|rd|th)? quarter(?: of)? (?P<y6>\d{4})"
    r"|(?<![\w.,:])(?P<h>\d{1,2}):(?P<min>\d\d)(?::\d\d)?(?: ?(?P<half>[ap]m))?\b",
    re.IGNORECASE,
)
_DAY_NAME: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})s?\b", re.IGNORECASE
)
_YEAR: Final = re.compile(
    r"\b(?:in|since|of|until|till|by|before|after|from|year|im|en|seit|bis|published|fiscal)"
    r"\s(?:the year )?(?P<y>(?:19|20)\d\d)\b(?! [^\W\d_]+s\b)|\((?P<y2>(?:19|20)\d\d)\)",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"(?P<what>\b(?:sections?|articles?|art|annex|clauses?|chapters?|exhibits?|appendix|schedule"
    r"|parts?|paragraphs?|version|v|release|room|rfc|iso|tls|ssl|http|ssh|sha|level|step|page"
    r"|figure|table)\b|§+)\s?(?P<no>(?:[A-Z]?[.(]?)?\d+(?:[.()-]\w+)*\)?)"
    r"|\b(?P<no2>[A-Za-z]+-?\d+(?:[.-]\w+)*|\d+[A-Za-z]+\d\w*|(?!\d{1,3}(?:\.\d{3})+\b)v?\d+(?:\.\d+){2,})\b",
    re.IGNORECASE,
)
_NUMERIC: Final = re.compile(
    rf"(?P<cur>(?:{_SYMBOL})|\b(?:{_CODE})\b)?\s?(?<![\w.])(?P<sign>-)?(?P<n>{_NUMBER})"
    rf"(?P<scale>(?:k|m|b|mn|bn)\b|[ -]?(?:{'|'.join(s for s in SCALES if len(s) > 2)})\b)?"
    rf"(?:\s?(?:-|to|bis|and(?= \d))\s?(?P<n2>{_NUMBER})(?![\w:]))?"
    rf"(?P<rest>[ -]?(?:%|[€$£¥]|°[CF]|{_WORD})(?: {_WORD})?)?",
    re.IGNORECASE,
)
_PERCENT: Final = {
    **dict.fromkeys(("%", "percent", "prozent", "pct", "per cent"), ("%", Decimal(1))),
    **dict.fromkeys(("bps", "bp", "basis points", "basis point"), ("%", Decimal("0.01"))),
    **dict.fromkeys(("percentage points", "percentage point"), ("points", Decimal(1))),
}
_PER: Final = re.compile(r"\s?(?:/|\bper |\ba |\beach |\bevery )\s?([^\W\d_]+)", re.IGNORECASE)
_SEPARATED: Final = {"en", "de", "fr", "es", "it", "pt", "nl"}
_ABOUT: Final = 20  # one part in: "about" is met within 5 %


@lru_cache(maxsize=4096)
def quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Return the quantities of ``text`` (in the form of `plain`) in order, none overlapping.

    ``language`` tells what ``4.275`` is; with ``""`` it is both 4.275 and 4275.
    """
    found: list[Quantity] = []
    rest = text
    for scan in (_stamps, _dates_in, _days, _years, _references):
        more = list(scan(rest))
        rest = _without(rest, more)
        found += more
    numbers = (_numeric(rest, each, language) for each in _NUMERIC.finditer(rest))
    found += [replace(each, bound=bound_at(text, each.start, each.end)) for each in numbers]
    return tuple(sorted(found, key=lambda each: each.start))


def _without(text: str, found: list[Quantity]) -> str:
    """Return ``text`` with what was read blotted out, all else at its place."""
    marks = list(text) if found else [text]
    for each in found:
        marks[each.start : each.end] = "\0" * (each.end - each.start)
    return "".join(marks)


def agreement(one: Quantity, other: Quantity) -> Agreement:
    """Compare what a claim states with what a span states: family, unit and value, no bounds."""
    if one.family is not other.family:
        return Agreement.OTHER
    if one.unit != other.unit:
        if one.family is Family.DURATION:
            return _across(one, other)
        if one.family is Family.AMOUNT:
            return Agreement.RIVAL
        if one.unit and other.unit:
            return Agreement.OTHER
    if (one.high is None) != (other.high is None) or one.high != other.high:
        return Agreement.RIVAL
    if one.per and other.per and one.per != other.per:
        return Agreement.RIVAL
    return _readings(one, other)


def opposed(one: Bound, other: Bound) -> bool:
    """Whether one bound says at least and the other at most."""
    return {one, other} == {Bound.LEAST, Bound.MOST}


def _readings(one: Quantity, other: Quantity) -> Agreement:
    shared = set(one.readings) & set(other.readings)
    if shared:
        sure = len(one.readings) == len(other.readings) == 1 or one.text == other.text
        return Agreement.EQUAL if sure else Agreement.UNSURE
    if Bound.ABOUT in (one.bound, other.bound):
        a, b = one.readings[0], other.readings[0]
        if isinstance(a, Decimal) and isinstance(b, Decimal):
            return Agreement.EQUAL if abs(a - b) * _ABOUT <= max(a, b) else Agreement.RIVAL
    if one.family is Family.DATE:
        return _dates(str(one.readings[0]), str(other.readings[0]))
    return Agreement.RIVAL


def _dates(one: str, other: str) -> Agreement:
    """A day within a stated month is in it; a month is no proof of a day, and no contradiction."""
    if one[:1] != other[:1]:
        return Agreement.OTHER
    if other.startswith(one):
        return Agreement.EQUAL
    return Agreement.UNSURE if one.startswith(other) else Agreement.RIVAL


def _across(one: Quantity, other: Quantity) -> Agreement:
    """Days and months: 30 days may be a month; 10 days are none."""
    if {one.unit, other.unit} != {"s", "month"}:
        return Agreement.RIVAL
    days, months = (one, other) if one.unit == "s" else (other, one)
    a, b = days.readings[0], months.readings[0]
    if isinstance(a, Decimal) and isinstance(b, Decimal) and 28 * b <= a // 86400 <= 31 * b:
        return Agreement.UNSURE
    return Agreement.RIVAL


def _stamps(text: str) -> Iterator[Quantity]:
    for found in _STAMP.finditer(text):
        yield Quantity(Family.DATE, (f"d{found[1]}",), "", *found.span(1), found[1])
        if found[2]:
            yield Quantity(Family.DATE, (f"t{found[2]}",), "", *found.span(2), found[2])


def _dates_in(text: str) -> Iterator[Quantity]:
    for found in _DATE.finditer(text):
        yield from _date(found)


def _days(text: str) -> Iterator[Quantity]:
    for found in _DAY_NAME.finditer(text):
        day = WEEKDAYS[found.group().casefold().removesuffix("s")]
        yield _of(found, Family.DATE, (f"w{day}",), "")


def _years(text: str) -> Iterator[Quantity]:
    for found in _YEAR.finditer(text):
        group = "y" if found["y"] else "y2"
        said = found[group]
        yield Quantity(Family.DATE, (f"d{said}",), "", *found.span(group), said)


def _references(text: str) -> Iterator[Quantity]:
    for found in _REFERENCE.finditer(text):
        if found["no"] or not _scaled_or_unit(found.group()):
            what = (found["what"] or "").casefold().rstrip("s")
            number = (found["no"] or found["no2"]).casefold()
            yield _of(found, Family.REFERENCE, (number,), what)


def _scaled_or_unit(said: str) -> bool:
    return re.fullmatch(r"(?:eur|usd|gbp|chf)-?\d.*", said, re.IGNORECASE) is not None


def _of(
    found: re.Match[str], family: Family, readings: tuple[str | Decimal, ...], unit: str
) -> Quantity:
    return Quantity(family, readings, unit, found.start(), found.end(), found.group())


def _date(found: re.Match[str]) -> Iterator[Quantity]:
    part = found.groupdict()
    if part["h"] is not None:
        hour = int(part["h"]) % 12 if part["half"] else int(part["h"])
        hour += 12 if (part["half"] or "").casefold() == "pm" else 0
        yield _of(found, Family.DATE, (f"t{hour:02}:{part['min']}",), "")
    elif part["n1"]:
        yield _of(found, Family.DATE, _day_or_month(part), "")
    elif quarter := part["q1"] or part["q2"]:
        yield _of(found, Family.DATE, (f"d{part['y5'] or part['y6']}Q{quarter}",), "")
    elif part["m3"]:
        yield _of(found, Family.DATE, (f"d{part['y3']}-{MONTHS[part['m3'].casefold()]:02}",), "")
    else:
        month = MONTHS[(part["m1"] or part["m2"]).casefold()]
        day, year = int(part["d1"] or part["d2"]), part["y1"] or part["y2"]
        said = f"d{year}-{month:02}-{day:02}" if year else f"y{month:02}-{day:02}"
        yield _of(found, Family.DATE, (said,), "")


def _day_or_month(part: dict[str, str]) -> tuple[str, ...]:
    one, other, year = int(part["n1"]), int(part["n2"]), part["y4"]
    pairs = {(m, d) for m, d in ((one, other), (other, one)) if m <= 12 and d <= 31}
    return tuple(sorted(f"d{year}-{m:02}-{d:02}" for m, d in pairs)) or (f"d{year}",)


def _numeric(text: str, found: re.Match[str], language: str) -> Quantity:
    rest = (found["rest"] or "").strip(" -")
    words = rest.split()
    first = words[0].casefold() if words else ""
    second = words[1].casefold() if len(words) > 1 else ""
    currency, used = _currency(found, first, second)
    scale = (found["scale"] or "").strip(" -").casefold()
    if scale in SHORT_SCALES and currency is None:
        first, scale = scale, ""
    trailing = bool(currency) and found["cur"] is None
    values = _values(found["n"], language, trailing)
    factor = SCALES.get(scale, 1)
    readings = tuple(value * factor * (-1 if _negative(text, found) else 1) for value in values)
    high = None
    if found["n2"]:
        high = _values(found["n2"], language, trailing)[0] * factor
    end = (
        found.end("n2") if found["n2"] else found.end("scale") if found["scale"] else found.end("n")
    )
    family, unit, ratio, taken = _unit(currency, first, second, used)
    if taken:
        spot = found.start("rest") + _length(found["rest"] or "", taken)
        end = max(end, spot)
    per = _PER.match(text, end)
    start = (
        found.start("cur")
        if found["cur"]
        else found.start("sign")
        if _negative(text, found)
        else found.start("n")
    )
    return Quantity(
        family,
        tuple(reading * ratio for reading in readings),
        unit,
        start,
        end,
        text[start:end],
        high=None if high is None else high * ratio,
        per=per[1].casefold() if per and family in (Family.AMOUNT, Family.PERCENT) else "",
        noun=first if family is Family.COUNT and not taken else "",
    )


def _length(rest: str, words: int) -> int:
    """Return how many code points the first ``words`` words of ``rest`` take."""
    found = list(re.finditer(r"[^\s-]+", rest))
    return found[min(words, len(found)) - 1].end() if found else 0


def _negative(text: str, found: re.Match[str]) -> bool:
    before = text[: found.start("sign")].rstrip() if found["sign"] else "x"
    return bool(found["sign"]) and (
        not before or not before[-1].isalnum() or text[found.start("sign") - 1].isspace()
    )


def _currency(found: re.Match[str], first: str, second: str) -> tuple[str | None, int]:
    """Return the currency and how many words after the number name it."""
    if found["cur"]:
        code = CURRENCIES[found["cur"].casefold().replace(" ", "")]
        return code, int(CURRENCIES.get(first) == code)
    if first in ("us", "canadian") and second in CURRENCIES:
        return ("USD" if first == "us" else "CAD"), 2
    return (CURRENCIES[first], 1) if first in CURRENCIES else (None, 0)


def _unit(
    currency: str | None, first: str, second: str, used: int
) -> tuple[Family, str, Decimal, int]:
    """Return family, unit, factor to it, and how many words after the number name it."""
    one = Decimal(1)
    if currency is not None:
        return Family.AMOUNT, currency, one, used
    for words in (f"{first} {second}", first):
        if words in _PERCENT:
            unit, ratio = _PERCENT[words]
            return Family.PERCENT, unit, ratio, len(words.split())
    if first in WORKING and second in DURATIONS:
        return Family.DURATION, f"{first} {DURATIONS[second][0]}", Decimal(DURATIONS[second][1]), 2
    if first in DURATIONS:
        base, factor = DURATIONS[first]
        return Family.DURATION, base, Decimal(factor), 1
    if first in MEASURES:
        base, factor_of = MEASURES[first]
        return Family.COUNT, base, factor_of, 1
    return Family.COUNT, "", one, 0


def _values(said: str, language: str, trailing: bool) -> tuple[Decimal, ...]:
    """Return every value that ``said`` can be: separators by language where they are not plain."""
    squeezed = re.sub(r"[ ']", "", said)
    marks = [mark for mark in squeezed if mark in ".,"]
    if not marks:
        return (Decimal(squeezed),)
    if len(set(marks)) == 2:
        point = marks[-1]
        return (_decimal(squeezed, point),)
    mark = marks[0]
    if len(marks) > 1:
        return (_decimal(squeezed, ""),)
    whole, part = squeezed.split(mark)
    if len(part) != 3 or len(whole) > 3 or whole == "0" or re.search(r"[ ']", said):
        return (_decimal(squeezed, mark),)
    if language not in _SEPARATED and not trailing:
        return (_decimal(squeezed, mark), _decimal(squeezed, ""))
    thousands = (mark == ",") == (language == "en") or (trailing and mark == ".")
    return (_decimal(squeezed, "" if thousands else mark),)


def _decimal(said: str, point: str) -> Decimal:
    return Decimal(
        "".join("." if mark == point else mark for mark in said if mark.isdigit() or mark == point)
    )
