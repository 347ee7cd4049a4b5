"""The difference of two texts by words, and which claim of one answer became which of another."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rapidfuzz.distance import Levenshtein

_TOKENS: Final = re.compile(r"\s+|\w+|[^\w\s]")
_WORDS: Final = re.compile(r"\w+")
_ALIKE: Final = 50


class Op(StrEnum):
    """Whether a piece of text stands in both texts, in the old or in the new one only."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words of the old or the new text."""

    op: Op
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """Return the pieces that make up both texts, in order; removed ones before added ones."""
    before, after = _TOKENS.findall(old), _TOKENS.findall(new)
    pieces: list[Piece] = []
    for step in Levenshtein.opcodes(before, after):
        old_run = before[step.src_start : step.src_end]
        if step.tag == "equal":
            pieces.append(Piece(Op.SAME, "".join(old_run)))
            continue
        pieces += _piece(Op.REMOVED, old_run)
        pieces += _piece(Op.ADDED, after[step.dest_start : step.dest_end])
    return tuple(pieces)


def paired(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield which text of ``old`` became which of ``new``, by position; ``None`` where none did.

    Equal texts first, then the most alike in words, at least half of which they must share.
    """
    ranked = sorted(
        ((_alike(one, other), -i, -j) for i, one in enumerate(old) for j, other in enumerate(new)),
        reverse=True,
    )
    became: dict[int, int] = {}
    for alike, i, j in ranked:
        if alike >= _ALIKE and -i not in became and -j not in became.values():
            became[-i] = -j
    yield from ((i, became.get(i)) for i in range(len(old)))
    yield from ((None, j) for j in range(len(new)) if j not in became.values())


def _piece(op: Op, tokens: Sequence[str]) -> list[Piece]:
    return [Piece(op, "".join(tokens))] if tokens else []


def _alike(one: str, other: str) -> int:
    """Return the percentage of words that two texts share, above 100 where they are equal."""
    if one == other:
        return 101
    words, others = (Counter(_WORDS.findall(text.casefold())) for text in (one, other))
    total = words.total() + others.total()
    return 200 * (words & others).total() // total if total else 0
