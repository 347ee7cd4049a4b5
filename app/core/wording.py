"""Words as they are compared: stems, names, negation, modality, opposites (DESIGN §5)."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

import snowballstemmer

from app.core.lexicon import (
    CONDITIONS,
    FUNCTION,
    HISTORY,
    MODALS,
    NEGATORS,
    OPPOSITES,
    QUANTIFIERS,
    STEMMERS,
    STOP,
    SYNONYMS,
)


class Mode(IntEnum):
    """How strongly a sentence binds; only a change of it is compared."""

    MAY = 1
    SHOULD = 2
    MUST = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word of content: as written, its stem, and what bears on it in its clause."""

    text: str
    stem: str
    start: int
    name: bool
    negated: bool
    unless: bool
    clause: int
    listed: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """What a sentence says besides its quantities.

    ``modes`` are its modal verbs: the clause, how strongly it binds, and which word comes next.
    """

    words: tuple[Word, ...]
    modes: tuple[tuple[int, Mode, int], ...]
    conditions: frozenset[str]
    quantifier: str
    passive: bool
    agents: frozenset[int]
    past: tuple[tuple[int, int], ...]
    denied: frozenset[int]
    loose: int


_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?|_|[;:()\[\]\n]|,|\.(?=\s|$)|-")
_BREAK: Final = frozenset(";:()[]\n.")
_AGENT: Final = 2  # words of content after `by` that name the one who acts
_SCOPE: Final = 4  # words of content that a negation reaches
_PASSIVE: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|being|wird|werden|wurde)\b(?: \w+)?"
    r" \w+(?:ed|en|t|id|ld|nd|wn|de|ne|un)\b.{0,80}?\b(?:by|von|par)\b",
    re.IGNORECASE | re.DOTALL,
)
_BOUND: Final = re.compile(
    r" (?:more|less|fewer|later|earlier|sooner|longer|greater|higher|lower) than\b"
    r"| exceed\w* (?:\S+ )?\W?\d",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"\s*(?:and |or |but )?(?:it|they|we|you|he|she|there|which|while|whereas|however|although"
    r"|unless|if|when)\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(
    r"[\w &/-]{1,40}(?:, [\w &/-]{1,40}){1,20},? (?:and|or|und|et|y) [\w-]+"
    r"|: ?[\w-]+(?:, ?[\w-]+)+"
    r"|(?:\n ?[-*•]? ?[\w &/-]{1,40})+"
)
_PREFIX: Final = ("non", "un", "in", "im", "dis", "il", "ir", "de")


@lru_cache(maxsize=4096)
def wording(text: str, language: str = "en", taken: tuple[tuple[int, int], ...] = ()) -> Wording:
    """Read ``text`` (in the form of `plain`); what lies in ``taken`` was read as a quantity."""
    reader = _Reader(text, language, taken)
    for token in _TOKEN.finditer(text):
        reader.take(token)
    lowered = text.casefold()
    agent = _PASSIVE.search(text)
    return Wording(
        tuple(reader.words),
        tuple(reader.modes),
        frozenset(name for name, said in CONDITIONS.items() if said.search(lowered)),
        next((kind for kind, said in QUANTIFIERS.items() if said.search(lowered)), ""),
        agent is not None,
        frozenset(_after(reader.words, agent.end())) if agent else frozenset(),
        tuple(found.span() for found in HISTORY.finditer(text)),
        frozenset(reader.denied),
        reader.loose + reader.waiting,
    )


def opposite(one: str, other: str) -> bool:
    """Whether two stems contradict each other: an opposite, or one has un-, non-, dis-."""
    if other in _opposites().get(one, ()):
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(shorter) > 3 and any(longer == prefix + shorter for prefix in _PREFIX)


def spoken(text: str) -> str:
    """Return the language whose function words ``text`` holds most of, ``""`` where unclear."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    scores = {name: sum(word in known for word in words) for name, known in FUNCTION.items()}
    ranked = sorted(scores.values(), reverse=True)
    best = max(scores, key=lambda name: scores[name])
    return best if ranked[0] > ranked[1] else ""


@lru_cache(maxsize=1 << 16)
def stem(word: str, language: str = "en") -> str:
    """Return what a word has in common with its inflections and its closest synonyms."""
    lowered = word.casefold().removesuffix("'s")
    lowered = SYNONYMS.get(lowered, lowered)
    name = STEMMERS.get(language)
    found = _stemmer(name).stemWord(lowered) if name else lowered
    return SYNONYMS.get(found, found)


@cache
def _stemmer(name: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(name)


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in OPPOSITES:
        one, other = (frozenset(stem(word) for word in side.split("|")) for side in pair.split("/"))
        for word in one:
            found.setdefault(word, set()).update(other)
        for word in other:
            found.setdefault(word, set()).update(one)
    return {word: frozenset(others - {word}) for word, others in found.items()}


class _Reader:
    """Goes through the tokens of a sentence and keeps what bears on the next word."""

    def __init__(self, text: str, language: str, taken: Iterable[tuple[int, int]]) -> None:
        self.words: list[Word] = []
        self.denied: set[int] = set()
        self.loose = 0  # negations that reach no word of content: it is not up to you
        self.waiting = False
        self.modes: list[tuple[int, Mode, int]] = []
        self._text, self._language = text, language
        self._taken = list(taken)
        self._negation = 0
        self._unless = False
        self._last = -1
        self._clause = 0
        self._list = _listed(text)

    def take(self, token: re.Match[str]) -> None:
        """Read the next token."""
        said = token.group()
        lowered = said.casefold()
        if self._ends_clause(lowered, token.end()):
            self._clause += 1
            self.loose += self.waiting
            self._negation, self._unless, self.waiting = 0, False, False
        elif not self._is_taken(token):
            self._weigh(lowered, token)
            if said[0].isalnum() and not self._says_nothing(said, lowered):
                self._add(token.start(), said)

    def _ends_clause(self, lowered: str, end: int) -> bool:
        opens = lowered == "," and _new_clause(self._text, end)
        return lowered in _BREAK or opens or lowered in ("but", "aber", "mais")

    def _says_nothing(self, said: str, lowered: str) -> bool:
        """Whether a word is a stop word or a negator; US is no pronoun."""
        if lowered in NEGATORS or lowered.endswith("n't"):
            return True
        stop = lowered in STOP.get(self._language, STOP["en"])
        return stop and not (len(said) > 1 and said.isupper())

    def _is_taken(self, token: re.Match[str]) -> bool:
        """Whether the token was read as a quantity; one that only begins as one was not."""
        start, end = _around(self._taken, token.start())
        if start >= 0:
            self._quantity(start)
        return token.end() <= end

    def _weigh(self, lowered: str, token: re.Match[str]) -> None:
        """Keep what a negation, a modal verb or `unless` says of the words after it."""
        denies = lowered in NEGATORS or lowered.endswith("n't")
        if denies and not self._compares(token):
            self._negation = 0 if self._negation else 1 if lowered == "non" else _SCOPE
            self.waiting = self._negation > 0
        modal = lowered.removesuffix("n't")
        if modal in MODALS:
            self.modes.append((self._clause, Mode(MODALS[modal]), len(self.words)))
        if lowered == "unless":
            self._unless = True

    def _quantity(self, start: int) -> None:
        """Keep whether a quantity is denied; one counts as one word."""
        if start != self._last:
            self._last = start
            self.waiting = False
            if self._negation:
                self.denied.add(start)
                self._negation -= 1

    def _compares(self, token: re.Match[str]) -> bool:
        """Whether `no` or `not` belongs to a bound: no more than ten."""
        return _BOUND.match(self._text, token.end()) is not None

    def _add(self, start: int, said: str) -> None:
        self.words.append(
            Word(
                said,
                stem(said, self._language),
                start,
                _is_name(self._text, start, said),
                self._negation > 0,
                self._unless,
                self._clause,
                _around(self._list, start)[1] > start,
            )
        )
        self._negation = max(self._negation - 1, 0)
        self.waiting = False


def _around(spans: list[tuple[int, int]], at: int) -> tuple[int, int]:
    """Return the one of ordered spans that ``at`` lies in, ``(-1, -1)`` where none does."""
    nth = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return spans[nth] if nth >= 0 and at < spans[nth][1] else (-1, -1)


def _after(words: list[Word], start: int) -> list[int]:
    return [word.start for word in words if word.start >= start][:_AGENT]


def _new_clause(text: str, after: int) -> bool:
    """Whether a comma opens a clause: a pronoun or a conjunction follows."""
    return _CLAUSE.match(text, after) is not None


def _is_name(text: str, start: int, said: str) -> bool:
    """Whether a word is a name: capitals inside a sentence, or capitals beyond the first letter."""
    if any(mark.isupper() for mark in said[1:]):
        return True
    if not said[:1].isupper():
        return False
    before = text[:start].rstrip(" \"'(*_")
    return bool(before) and before[-1] not in ".!?:\n-|"


def _listed(text: str) -> list[tuple[int, int]]:
    """Return where three or more things are listed: there a missing one is no contradiction."""
    return [found.span() for found in _LIST.finditer(text)]
