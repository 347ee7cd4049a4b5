"""Chunks: spans of a stored text that are found together; whole sentences, exact offsets.

A chunk is one or more sentences of one section, 80 to 120 words where the text allows. Chunks do
not overlap, and blank text between them belongs to none. Headings and list items are sentences.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

CHUNKER: Final = "sentences-1"
"""Which rules cut: a trace names them, and a change of theirs cuts every version anew."""

_FEW: Final = 80
_MANY: Final = 120
_LONG: Final = 2_000
_BLOCK: Final = re.compile(r"\S(?:.*\S)?(?:[^\S\n]*\n[^\S\n]*\S(?:.*\S)?)*")
_LINE: Final = re.compile(r"\S(?:.*\S)?")
_ITEM: Final = re.compile(r"[^\S\n]*(?:#{1,6}\s|[-*+•|]\s?|\d{1,3}[.)]\s)")
_HEADING: Final = re.compile(r"#{1,6}\s")
_END: Final = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s+[^\Wa-z_]|\s+[\"'“‘«(\[•-]|\s*$)")
_SHORT: Final = re.compile(
    r"(?:\b(?:\w|e\.g|i\.e|cf|vs|etc|approx|Art|Abs|No|Nr|Mr|Mrs|Ms|Dr|Prof|St|Inc|Ltd|Sec|Fig"
    r"|z\.\s?B|bzw|ca|usw|\d{1,2})\.)$"
)


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open ``[start, end)`` in code points."""

    start: int
    end: int


def chunks(text: str) -> list[Span]:
    """Return the chunks of ``text``, left to right."""
    found: list[Span] = []
    open_from = open_to = words = 0
    for sentence in sentences(text):
        own = len(text[sentence.start : sentence.end].split())
        heading = _HEADING.match(text, sentence.start) is not None
        if words and (words + own > _MANY or words >= _FEW or heading):
            found.append(Span(open_from, open_to))
            words = 0
        if not words:
            open_from = sentence.start
        open_to, words = sentence.end, words + own
    if words:
        found.append(Span(open_from, open_to))
    return found


def sentences(text: str) -> list[Span]:
    """Return the sentences of ``text``, left to right, without the blanks around them."""
    return [
        sentence
        for block in _BLOCK.finditer(text)
        for unit in _units(text, block.start(), block.end())
        for sentence in _cut(text, unit)
    ]


def _units(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of a block of lines: each heading and list item, else wrapped prose."""
    begin = last = None
    for line in _LINE.finditer(text, start, end):
        heading = _HEADING.match(text, line.start()) is not None
        if begin is not None and last is not None and _ITEM.match(text, line.start()):
            yield Span(begin, last)
            begin = None
        begin = line.start() if begin is None else begin
        last = line.end()
        if heading:
            yield Span(begin, last)
            begin = None
    if begin is not None and last is not None:
        yield Span(begin, last)


def _cut(text: str, unit: Span) -> Iterator[Span]:
    """Yield the sentences of a unit. One that is too long for prose is a list of lines."""
    begin = unit.start
    for end in _END.finditer(text, unit.start, unit.end):
        if end.end() < unit.end and _SHORT.search(text, max(begin, end.end() - 12), end.end()):
            continue
        yield from _lines(text, Span(begin, end.end()))
        rest = _LINE.search(text, end.end(), unit.end)
        begin = rest.start() if rest else unit.end
    if begin < unit.end:
        yield from _lines(text, Span(begin, unit.end))


def _lines(text: str, sentence: Span) -> Iterator[Span]:
    if sentence.end - sentence.start <= _LONG:
        yield sentence
        return
    for line in _LINE.finditer(text, sentence.start, sentence.end):
        yield Span(line.start(), line.end())
