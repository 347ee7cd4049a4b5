"""A claim or a span as the matcher reads it: statements, their words and their quantities."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from app.core.plain import plain
from app.core.quantities import Quantity, quantities
from app.core.sentences import Kind, Unit, units
from app.core.typos import same_word
from app.core.wording import Word, Wording, wording

_TOKENS: Final = re.compile(r"\w+|[%€$£¥°<>≤≥=+-]")
_QUANTITY_WEIGHT: Final = 2


@dataclass(frozen=True)
class Said:
    """One statement: its text as written, its comparable form, and what was read in it."""

    raw: str
    text: str
    language: str
    quantities: tuple[Quantity, ...]
    wording: Wording

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of content, in order."""
        return self.wording.words

    @cached_property
    def stems(self) -> Counter[str]:
        """How often each stem occurs."""
        return Counter(word.stem for word in self.words)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Every word and every sign that carries meaning, case folded."""
        return tuple(_TOKENS.findall(self.text.casefold()))

    @cached_property
    def labels(self) -> dict[int, str]:
        """The stem of the word before each quantity, by its start, if no other lies between."""
        found: dict[int, str] = {}
        words, nth, end = self.words, 0, 0
        for each in self.quantities:
            while nth < len(words) and words[nth].start < each.start:
                nth += 1
            if nth and words[nth - 1].start >= end:
                found[each.start] = words[nth - 1].stem
            end = each.end
        return found

    @cached_property
    def values(self) -> frozenset[object]:
        """Every value that is stated."""
        return frozenset(reading for each in self.quantities for reading in each.readings)


@lru_cache(maxsize=4096)
def read(text: str, language: str) -> Said:
    """Read ``text`` as one statement."""
    said = plain(text, language or "en")
    found = quantities(said, language)
    taken = tuple((each.start, each.end) for each in found)
    return Said(text, said, language, found, wording(said, language or "en", taken))


@lru_cache(maxsize=1024)
def statements(text: str, language: str) -> tuple[Said, ...]:
    """Read ``text`` statement by statement; neighbouring lines of data are one record."""
    return tuple(read(text[start:end], language) for start, end in _records(text, units(text)))


def same_saying(one: Said, other: Said) -> bool:
    """Whether two statements differ in markup, numbering, case or repaired typos at most."""
    if len(one.tokens) != len(other.tokens) or (one.quantities and not _same_values(one, other)):
        return False
    return all(same_word(a, b) for a, b in zip(one.tokens, other.tokens, strict=True))


def support(claim: Said, said: Said) -> int:
    """Return how much of what the claim holds is found in a statement: words, values twice."""
    shared = (claim.stems & said.stems).total()
    return shared + _QUANTITY_WEIGHT * len(claim.values & said.values)


def best(claim: Said, among: tuple[Said, ...]) -> Said | None:
    """Return the statement that holds most of the claim, the first of equals, if any holds some."""
    ranked = max(
        enumerate(among), key=lambda each: (support(claim, each[1]), -each[0]), default=None
    )
    return ranked[1] if ranked is not None and support(claim, ranked[1]) else None


def _same_values(one: Said, other: Said) -> bool:
    """Whether both state the same values in order, none of which can be read in two ways."""
    return len(one.quantities) == len(other.quantities) and all(
        a.readings == b.readings and (len(a.readings) == 1 or a.text == b.text)
        for a, b in zip(one.quantities, other.quantities, strict=True)
    )


def _records(text: str, found: list[Unit]) -> list[tuple[int, int]]:
    if not found:
        return []
    joined = [(found[0].start, found[0].end)]
    for before, unit in pairwise(found):
        item = text[unit.start : unit.end].startswith("- ")
        if before.kind is unit.kind is Kind.DATA and not item:
            joined[-1] = (joined[-1][0], unit.end)
        else:
            joined.append((unit.start, unit.end))
    return joined
