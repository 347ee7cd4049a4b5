"""What stands now where a cited span stood: two versions of a text, laid side by side (DESIGN §5).

A unit (a sentence, a line of data, a list under its opening line) that was not touched is found by
the diff of the two texts, or at its new place if it is there once. A touched one is found in the
region that the diff puts in its place. What is not certain is lost: a lookalike never wins.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, partial
from typing import Final

from rapidfuzz.distance import Levenshtein

from app.core.sentences import DATA, Unit, place, units
from app.core.typos import same_word


class Found(StrEnum):
    """Whether the cited text stands as it stood, or other text took its place."""

    SAME = "same"
    REPLACED = "replaced"


class Why(StrEnum):
    """Why there is no current span."""

    GONE = "gone"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Span:
    """The current span ``[start, end)`` in code points of the new text."""

    start: int
    end: int
    kind: Found


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no current span."""

    why: Why


_MOVED_WORDS: Final = 5  # a shorter sentence is no proof that it is the one that moved
_ALIKE: Final = 50  # percent of words shared by a unit and what took its place
_RELATED: Final = 30  # percent below which nothing took its place
_MARGIN: Final = 15  # percent by which the best candidate must lead
_WITHIN: Final = 60  # percent of a neighbour's words that the unit has left: it was split
_WORDS: Final = re.compile(r"\w+")

Key = tuple[tuple[str, ...], str]


class Mapping:
    """Two versions of a text and which unit of the old is which of the new; built once a pair."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new
        self.old_units, self.new_units = units(old), units(new)
        self._old_words = cache(partial(_words, old, self.old_units))
        self._new_words = cache(partial(_words, new, self.new_units))
        self._same: dict[int, int] = {}
        self._blocks: list[tuple[int, int, int, int]] = []
        self._answers: dict[int, range | Why] = {}
        self._align()

    def unit_for(self, nth: int) -> range | Why:
        """Return which new units stand for the old unit ``nth``, or why none does."""
        if nth not in self._answers:
            self._answers[nth] = self._find(nth)
        return self._answers[nth]

    def untouched(self, nth: int) -> int | None:
        """Return the new unit that says what the old unit ``nth`` says, if certain."""
        return self._same.get(nth)

    @cached_property
    def spread(self) -> frozenset[str]:
        """The keys that gave one value in the old text and stand under several keys in the new."""
        before = Counter(unit.path[-1] for unit in self.old_units if unit.kind is DATA)
        now = Counter(path[-1] for path in {u.path for u in self.new_units if u.kind is DATA})
        return frozenset(key for key in now if now[key] > 1 and before[key] == 1)

    @cached_property
    def added(self) -> tuple[int, ...]:
        """The units of the new text that the old one does not have."""
        kept = set(self._same.values())
        return tuple(nth for nth in range(len(self.new_units)) if nth not in kept)

    def _align(self) -> None:
        known: dict[Key, int] = {}  # numbers are compared faster; 0 is what the old text has not
        old = [known.setdefault(key, len(known) + 1) for key in _keys(self.old, self.old_units)]
        new = [known.get(key, 0) for key in _keys(self.new, self.new_units)]
        islands = self._diff(old, new)
        once_old, once_new = _once(old), _once(new)
        for nth, at in islands:
            here = self.old_units[nth].path == self.new_units[at].path
            if here and once_old.get(old[nth]) == nth and once_new.get(old[nth]) == at:
                self._same[nth] = at
        taken = set(self._same.values())
        for each in once_old.keys() & once_new.keys():
            nth, at = once_old[each], once_new[each]
            if nth not in self._same and at not in taken and self._telling(nth):
                self._same[nth] = at

    def _telling(self, nth: int) -> bool:
        unit = self.old_units[nth]
        return unit.kind is DATA or len(_WORDS.findall(_said(self.old, unit))) >= _MOVED_WORDS

    def _diff(self, old: list[int], new: list[int]) -> list[tuple[int, int]]:
        """Take what is equal and has an equal neighbour; return the pairs that stand alone."""
        alone = []
        for step in Levenshtein.opcodes(old, new):
            i, to_i, j, to_j = step.src_start, step.src_end, step.dest_start, step.dest_end
            if step.tag != "equal":
                self._change(i, to_i, j, to_j)
                continue
            edges = (i == 0 and j == 0) or (
                to_i == len(self.old_units) and to_j == len(self.new_units)
            )
            if to_i - i > 1 or edges:
                self._same.update(zip(range(i, to_i), range(j, to_j), strict=True))
            else:
                alone.append((i, j))
        return alone

    def _change(self, i: int, to_i: int, j: int, to_j: int) -> None:
        if self._blocks and self._blocks[-1][1] == i and self._blocks[-1][3] == j:
            i, _, j, _ = self._blocks.pop()
        self._blocks.append((i, to_i, j, to_j))

    def _find(self, nth: int) -> range | Why:
        if (at := self._same.get(nth)) is not None:
            return range(at, at + 1)
        if self.old_units[nth].kind is DATA:
            at = self._paths.get(self.old_units[nth].path, -1)
            if at >= 0 and nth == self._old_paths.get(self.old_units[nth].path):
                return range(at, at + 1)
        return self._in_place_of(nth)

    @cached_property
    def _paths(self) -> dict[tuple[str, ...], int]:
        return _once_path(self.new_units)

    @cached_property
    def _old_paths(self) -> dict[tuple[str, ...], int]:
        return _once_path(self.old_units)

    @cached_property
    def _taken(self) -> frozenset[int]:
        """New units that stand for an old one: untouched, or lines of data under the same keys."""
        both = self._paths.keys() & self._old_paths.keys()
        return frozenset(self._same.values()) | {self._paths[path] for path in both}

    def _in_place_of(self, nth: int) -> range | Why:
        """Return the units of the changed block around ``nth`` that took its place."""
        place_of = bisect_right(self._blocks, (nth, len(self.old_units) + 1)) - 1
        if place_of < 0 or not self._blocks[place_of][0] <= nth < self._blocks[place_of][1]:
            return Why.AMBIGUOUS
        i, to_i, j, to_j = self._blocks[place_of]
        free = [at for at in range(j, to_j) if at not in self._taken]
        scored = sorted(((self._alike(nth, at), -at) for at in free), reverse=True)
        if not scored or scored[0][0] < _RELATED:
            return Why.GONE
        best, at = scored[0][0], -scored[0][1]
        together = self._with_split(nth, at, set(free))
        second = max((score for score, other in scored if -other not in together), default=0)
        opposite = to_i - i == to_j - j and at - j == nth - i
        if best - second < _MARGIN and not (opposite and best > second):
            return Why.AMBIGUOUS
        if best < _ALIKE and not (opposite or to_i - i == 1):
            return Why.AMBIGUOUS
        return together

    def _with_split(self, nth: int, at: int, free: set[int]) -> range:
        """Return ``at`` and the units beside it that hold what is left of the old unit's words."""
        first, last = at, at
        left = self._old_words(nth) - self._new_words(at)
        while first - 1 in free and _mostly(self._new_words(first - 1), left):
            first -= 1
            left -= self._new_words(first)
        while last + 1 in free and _mostly(self._new_words(last + 1), left):
            last += 1
            left -= self._new_words(last)
        return range(first, last + 1)

    def _alike(self, nth: int, at: int) -> int:
        one, other = self._old_words(nth), self._new_words(at)
        total = one.total() + other.total()
        return 200 * (one & other).total() // total if total else 0


def _mostly(words: Counter[str], left: Counter[str]) -> bool:
    return 100 * (words & left).total() >= _WITHIN * words.total() > 0


def compare(old: str, new: str) -> Mapping:
    """Lay two versions of a text side by side, once for all claims that cite the old one."""
    return Mapping(old, new)


def current_span(mapping: Mapping, start: int, end: int) -> Span | Lost:
    """Return what stands in ``mapping.new`` for ``[start, end)`` of ``mapping.old``.

    ``SAME``: the cited text itself, in units that nobody touched. ``REPLACED``: the whole units
    that took the place of those it lay in. ``Lost``: nothing did, or it is not certain what.
    """
    cited = _touched(mapping.old_units, start, end)
    if not cited:
        return Lost(Why.GONE)
    untouched = [mapping.untouched(nth) for nth in cited]
    if untouched == list(range(untouched[0] or 0, (untouched[0] or 0) + len(cited))):
        exact = _exact(mapping, cited, untouched[0] or 0, start, end)
        if exact is not None:
            return Span(*exact, Found.SAME)
    return _hull(mapping, cited)


def widened(mapping: Mapping, start: int, end: int) -> tuple[int, int]:
    """Return ``[start, end)`` of the old text widened to whole units: what `match` compares."""
    cited = _touched(mapping.old_units, start, end)
    if not cited:
        return start, end
    first, last = mapping.old_units[cited[0]], mapping.old_units[cited[-1]]
    return min(start, first.start), max(end, last.end)


def is_moved(mapping: Mapping, start: int, span: Span) -> bool:
    """Whether ``span`` stands under other headings or keys than the cited text stood.

    Also where its key named one value only and names others elsewhere now: which of them the claim
    meant, the text does not say any more.
    """
    before, after = place(mapping.old_units, start), place(mapping.new_units, span.start)
    return (
        len(before) != len(after)
        or not all(same_word(one, other) for one, other in zip(before, after, strict=True))
        or _has_spread(mapping, span)
    )


def _has_spread(mapping: Mapping, span: Span) -> bool:
    here = [mapping.new_units[nth] for nth in _touched(mapping.new_units, span.start, span.end)]
    return any(unit.kind is DATA and unit.path[-1] in mapping.spread for unit in here)


def added(mapping: Mapping, span: Span | Lost | None = None) -> tuple[str, ...]:
    """Return the units that are new in this version, those in ``span`` left out."""
    inside = (span.start, span.end) if isinstance(span, Span) else (0, 0)
    fresh = [mapping.new_units[nth] for nth in mapping.added]
    return tuple(
        mapping.new[unit.start : unit.end]
        for unit in fresh
        if unit.kind is not DATA and not (inside[0] < unit.end and unit.start < inside[1])
    )


def _touched(of: Sequence[Unit], start: int, end: int) -> list[int]:
    first = bisect_right(of, start, key=lambda unit: unit.end)
    return [nth for nth in _until(of, first, end) if of[nth].start < end]


def _until(of: Sequence[Unit], first: int, end: int) -> Iterator[int]:
    nth = first
    while nth < len(of) and of[nth].start < end:
        yield nth
        nth += 1


def _exact(
    mapping: Mapping, cited: list[int], at: int, start: int, end: int
) -> tuple[int, int] | None:
    """Map both ends of a quote through units that differ in blanks at most."""
    first, last = mapping.old_units[cited[0]], mapping.old_units[cited[-1]]
    old = mapping.old[first.start : last.end]
    begin, stop = mapping.new_units[at], mapping.new_units[at + len(cited) - 1]
    new = mapping.new[begin.start : stop.end]
    low, high = start - first.start, end - first.start
    whole = begin.start + low, begin.start + high
    if whole[0] >= 0 and mapping.new[whole[0] : whole[1]] == mapping.old[start:end]:
        return whole
    low, high = max(low, 0), min(high, len(old))
    if old == new:
        return begin.start + low, begin.start + high
    quote = old[low:high].split()
    pattern = r"\s+".join(re.escape(word) for word in quote)
    before = len(list(re.finditer(pattern, old[:low])))
    hits = list(re.finditer(pattern, new))
    if len(hits) <= before or not quote:
        return None
    return begin.start + hits[before].start(), begin.start + hits[before].end()


def _hull(mapping: Mapping, cited: list[int]) -> Span | Lost:
    """Return all of what took the place of the cited units, if it lies together."""
    found: list[range] = []
    for nth in cited:
        stands = mapping.unit_for(nth)
        if isinstance(stands, range):
            found.append(stands)
        elif stands is Why.AMBIGUOUS:
            return Lost(Why.AMBIGUOUS)
    if not found:
        return Lost(Why.GONE)
    first, last = min(r.start for r in found), max(r.stop for r in found) - 1
    if last - first + 1 > 2 * sum(len(r) for r in found) + 4:
        return Lost(Why.AMBIGUOUS)
    return Span(mapping.new_units[first].start, mapping.new_units[last].end, Found.REPLACED)


def _keys(text: str, of: Sequence[Unit]) -> Iterator[Key]:
    """Yield what tells each unit from others: its words, and for a line of data its keys."""
    for unit in of:
        yield (unit.path if unit.kind is DATA else (), _said(text, unit))


def _said(text: str, unit: Unit) -> str:
    return " ".join(unicodedata.normalize("NFKC", text[unit.start : unit.end]).split())


def _once(numbers: list[int]) -> dict[int, int]:
    count = Counter(numbers)
    return {each: nth for nth, each in enumerate(numbers) if count[each] == 1}


def _once_path(of: list[Unit]) -> dict[tuple[str, ...], int]:
    count = Counter(unit.path for unit in of if unit.kind is DATA)
    return {
        unit.path: nth for nth, unit in enumerate(of) if unit.kind is DATA and count[unit.path] == 1
    }


def _words(text: str, of: Sequence[Unit], nth: int) -> Counter[str]:
    return Counter(_WORDS.findall(_said(text, of[nth]).casefold()))
