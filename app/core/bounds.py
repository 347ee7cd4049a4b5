"""How a value is meant: just that, at least, at most, or about that."""

import re
from enum import StrEnum
from typing import Final


class Bound(StrEnum):
    """What the words around a value make of it."""

    EXACT = "exact"
    LEAST = "at least"
    MOST = "at most"
    ABOUT = "about"


def _said(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ARTICLES: Final = r"(?: (?:the|a|an|of|approximately|about))*\s*$"
_BEFORE: Final = (
    (
        Bound.MOST,
        _said(
            r"(?:no (?:more|later|longer|greater|higher) than"
            r"|not (?:more|later|exceed\w*)(?: than)?|at (?:the )?most"
            r"|maxim\w+(?: of| [^.;,]{1,40} is)?|max\.?|up to|within|less than|fewer than|under"
            r"|below|not exceeding|höchstens|maximal|bis zu|innerhalb|au plus|<=?|≤)" + _ARTICLES
        ),
    ),
    (
        Bound.LEAST,
        _said(
            r"(?:no (?:less|fewer|earlier|sooner) than|not (?:less|fewer)(?: than)?|at least"
            r"|minim\w+(?: of| value of| [^.;,]{1,40} is)?|min\.?|more than|over|above|exceeding"
            r"|longer than|greater than|mindestens|au moins|>=?|≥)" + _ARTICLES
        ),
    ),
    (
        Bound.ABOUT,
        _said(
            r"(?:about|around|approx\w*\.?|roughly|circa|(?-i:ca)\.|nearly|almost|~|etwa|rund"
            r"|environ|some)" + _ARTICLES
        ),
    ),
)
_AFTER: Final = (
    (Bound.MOST, _said(r"\s*(?:[^\W\d]+ )?(?:or (?:less|fewer|lower)|at most|maximum)\b")),
    (
        Bound.LEAST,
        _said(r"\s*(?:[^\W\d]+ )?(?:or (?:more|longer|higher|later)|at least|minimum)\b"),
    ),
)
_WINDOW: Final = 48  # code points before a value in which its bound is sought


def bound_at(text: str, start: int, end: int) -> Bound:
    """Return how the value at ``[start, end)`` of ``text`` is meant."""
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + _WINDOW]
    for bound, pattern in _BEFORE:
        if pattern.search(before):
            return bound
    return next((bound for bound, pattern in _AFTER if pattern.match(after)), Bound.EXACT)
