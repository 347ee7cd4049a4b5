"""Text as it is compared: one form for blanks, dashes, quotes, markup and number words."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from text_to_num import alpha2digit

from app.core.measures import SCALES

_CHANGED: Final = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "−": "-", "‐": "-", "‑": "-"}
    | {"–": "-", "—": " - ", "«": '"', "»": '"'}
)
_LINK: Final = re.compile(r"!?\[([^\]\n]{0,300})\]\([^)\s]{0,2000}(?:\s[^)]{0,200})?\)")
_TAG: Final = re.compile(
    r"</?(?:a|b|i|p|br|em|strong|span|div|img|sup|sub|ul|ol|li|code|details|summary)\b[^<>\n]*>"
    r"|<https?://[^>\s]*>",
    re.IGNORECASE,
)
_BRACES: Final = re.compile(r"\{\s*\{\s*[<%]?|[>%]?\s*\}\s*\}|\{%|%\}")
_MARKS: Final = re.compile(r"\*+|`+|(?<!\w)_+|_+(?!\w)|^#{1,6}\s+", re.MULTILINE)
_NUMBERING: Final = re.compile(
    r"^[ \t]*(?:[-+•]\s+|\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-zA-Z]|[ivx]{2,4})[.)]\s+"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\s+(?=[A-Z][a-z])"
    r"(?!(?:M|B|Tr)illi|Mio|Mrd|Perc|Euro|Doll|Hour|Day|Week|Month|Year))+"
    r"(?=\S)(?![JFMASOND]\w+ \d{4})",
    re.MULTILINE,
)
_SCALED: Final = re.compile(
    r"(?<![\w.,])(\d+(?:[.,]\d{1,2})?)[ -]?("
    + "|".join(sorted((s for s in SCALES if len(s) > 1), key=len, reverse=True))
    + r")\b\.?",
    re.IGNORECASE,
)
_SMALL: Final = {
    "en": {"one": "1", "two": "2", "three": "3"},
    "de": {"zwei": "2", "drei": "3"},
    "fr": {"deux": "2", "trois": "3"},
    "es": {"dos": "2", "tres": "3"},
}
_SMALL_WORD: Final = re.compile(r"(?<!no )(?<![\w-])(\w+)(?=[ -]\(?\w)", re.IGNORECASE)
_TWICE: Final = re.compile(r"\b(\d+) \((\1)\)")
_SPELT: Final = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})


@lru_cache(maxsize=4096)
def plain(text: str, language: str = "en") -> str:
    """Return ``text`` without markup, list numbers and link targets, number words as digits.

    Line ends are kept: units and lines of data stay apart. Nothing of it goes back to a store.
    """
    said = unicodedata.normalize("NFKC", text).translate(_CHANGED)
    said = _LINK.sub(r"\1", said)
    said = _MARKS.sub("", _BRACES.sub(" ", _TAG.sub(" ", said)))
    said = _NUMBERING.sub("", said)
    said = re.sub(r"[^\S\n]+", " ", said)
    return _digits(said, language)


def _digits(said: str, language: str) -> str:
    """Write number words as digits, `2 million` as one number, `ninety (90)` once."""
    said = _SCALED.sub(_scaled, said)
    if language in _SPELT and re.search(r"[^\W\d_]{3}", said):
        lines = said.split("\n")
        said = "\n".join(alpha2digit(line, language) if line else line for line in lines)
    small = _SMALL.get(language, {})
    said = _SMALL_WORD.sub(lambda word: small.get(word[1].casefold(), word[1]), said)
    return _TWICE.sub(r"\1", said)


def _scaled(found: re.Match[str]) -> str:
    whole, _, part = found[1].replace(",", ".").partition(".")
    scale = SCALES[found[2].casefold()]
    return str(int(whole) * scale + int(part or 0) * scale // 10 ** len(part))
