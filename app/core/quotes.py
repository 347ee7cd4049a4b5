"""Spans and quotes: half-open ``[start, end)`` in Unicode code points of the stored text."""

import re
import unicodedata
from typing import Final

_BLANKS: Final = re.compile(r"\s+")


def same_quote(quote: str, stored: str) -> bool:
    """Whether ``quote`` is ``stored`` after NFKC, with each run of white space as one blank.

    The stored text itself is never normalised, so spans taken from it stay true (DESIGN §4).
    """
    return _normal(quote) == _normal(stored)


def _normal(words: str) -> str:
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", words))
