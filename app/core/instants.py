"""Instants: microseconds since 1970-01-01T00:00:00Z, always integers (DESIGN §4).

Input is an integer or RFC 3339 with an offset. A naive time is refused, and nothing passes
through a float: half of all microsecond values would come back one lower.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from app.core.errors import Invalid

FOREVER: Final = 2**63 - 1
LATEST: Final = 9 * 10**15
SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_RFC3339: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})0*)?([Zz]|[+-]\d{2}:[0-5]\d)",
    re.ASCII,
)
_DIGITS: Final = re.compile(r"\d{1,19}", re.ASCII)


def instant(value: object, *, field: str) -> int:
    """Return ``value`` as µs since the epoch, in ``[0, 9·10^15]``.

    Raises ``Invalid`` ``INSTANT_INVALID`` naming ``field``: not an integer or RFC 3339 text, no
    offset, no such date, finer than a microsecond, or out of range. Never rescaled, never guessed.
    The message does not repeat the value: what stands in a wrong field may be text of people.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _refused(field, f"{type(value).__name__} is no instant")
    number = value if isinstance(value, int) else _parse(value, field)
    if not 0 <= number <= LATEST:
        raise _refused(field, f"lies outside [0, {LATEST}]")
    return number


def rfc3339(at: int) -> str:
    """Return ``at`` (µs) as RFC 3339 in UTC, with a fraction only where it has one."""
    moment = _EPOCH + at * _MICROSECOND
    return moment.isoformat(timespec="microseconds" if at % SECOND else "seconds").replace(
        "+00:00", "Z"
    )


def bound(end: int) -> int | None:
    """Return a window's end as every surface shows it: ``None`` for an open one."""
    return None if end == FOREVER else end


def _parse(text: str, field: str) -> int:
    if _DIGITS.fullmatch(text):
        return int(text)
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise _refused(field, "is neither integer µs nor RFC 3339 with an offset")
    day, clock, fraction, offset = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{offset.upper()}")
    except ValueError:
        raise _refused(field, "is no date and time of the calendar") from None
    return (moment - _EPOCH) // _MICROSECOND + int((fraction or "0").ljust(6, "0"))


def _refused(field: str, why: str) -> Invalid:
    return Invalid(
        "INSTANT_INVALID",
        why,
        field=field,
        hint="Give integer microseconds or RFC 3339 with an offset, such as 2026-03-01T12:00:00Z.",
    )
