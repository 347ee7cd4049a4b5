"""Two spellings of one word: what a typo and its repair differ in, and no more."""

import re
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

_DOUBLED: Final = re.compile(r"([a-z])\1")
_SWAPPED: Final = 7  # letters from which two swapped neighbours are a typo
_MISSING: Final = 9  # letters from which one letter too few or too many is a typo
_TWO_WORDS: Final = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        [
            "mediation/medication",
            "martial/marital",
            "discreet/discrete",
            "scraped/scrapped",
            "planed/planned",
            "planing/planning",
            "staring/starring",
            "adaption/adoption",
            "desert/dessert",
            "immoral/immortal",
            "complaint/compliant",
            "preceding/proceeding",
        ]
    )
)


@lru_cache(maxsize=1 << 14)
def same_word(one: str, other: str) -> bool:
    """Whether two words are one word, once mistyped; digits and the first letter never are.

    Doubled letters may be single, two neighbours inside may be swapped (from 7 letters), one
    letter inside may be missing (from 9). Another letter in place of one is another word.
    """
    one, other = one.casefold(), other.casefold()
    if one == other:
        return True
    if any(mark.isdigit() for mark in one + other) or frozenset((one, other)) in _TWO_WORDS:
        return False
    return _misspelt(one, other)


def _misspelt(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if shorter < _SWAPPED or one[0] != other[0] or one[-1] != other[-1]:
        return False
    if _single(one) == _single(other):
        return True
    if OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    if len(one) == len(other):
        return sorted(one) == sorted(other)
    return shorter >= _MISSING


def _single(word: str) -> str:
    return _DOUBLED.sub(r"\1", word)
