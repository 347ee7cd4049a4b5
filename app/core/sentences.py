"""A text as units: sentences, headings, list items, `key: value` lines, table rows (DESIGN §5).

Offsets are half-open ``[start, end)`` in code points of the text as stored; nothing is rewritten.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """What a unit is: prose, a heading, an item of a list, a line of data, a row of a table."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    DATA = "data"
    ROW = "row"


PROSE, HEADING, ITEM, DATA, ROW = Kind  # bound once: a look-up in an enum is slow in Python 3.11


class Unit(NamedTuple):
    """A part of a text that says one thing, and the headings or keys under which it says it."""

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...]


_Open = list[tuple[int, tuple[str, ...]]]
"""The open headings, or the open keys: the level of each and the path down to it."""

_WORD: Final = re.compile(r"\w")
_FRONT: Final = re.compile(r"(---|\+\+\+)[^\S\n]*\n.*?^\1\s*$", re.DOTALL | re.MULTILINE)
_HEADING_LINE: Final = re.compile(r"(#{1,6})\s+(.*)")
_ITEM_LINE: Final = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+")
_DATA_LINE: Final = re.compile(
    r"""(?P<indent>\s*+)(?P<dash>-\s+)?(?P<key>["']?[A-Za-z_][\w.-]*+(?: [\w.-]++){0,2}["']?)\s*+"""
    r"""(?:[=:](?:\s++(?P<value>.*))?$)"""
)
_SENTENCE: Final = re.compile(  # begins with one set of marks: the search skips to the next of them
    r"[.!?,](?:(?<!,)\s|(?<=\w{3}[.!?])$|(?<=,)\s\w+\s)"
)
_STOP: Final = re.compile(r"""[.!?][)"'”’*_\]]*\s+(?=[^a-z\s])""")
_SHORT: Final = re.compile(
    r"(?:\b(?:max|min|approx|ca|no|nos|nr|art|sec|fig|vs|etc|e\.g|i\.e|inc|ltd|corp|dr|mr|ms|mrs|st"
    r"|bzw|usw|z\.b|abs|mio|mrd|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[a-z])|^\W*\d+(?:\.\d+)*)$",
    re.IGNORECASE,
)
_NUMBERING: Final = re.compile(r"^(?:\W*(?:\d+(?:\.\d+)*|[A-Za-z])[.)]\s+|[\W\d]+\s*)")
_LIST_LIMIT: Final = 1000  # code points: a longer list is no single statement


def units(text: str) -> list[Unit]:
    """Return the units of ``text`` in order; only blanks and mere marks lie between them."""
    return _with_lists(text, list(_units(text)))


def plain_name(heading: str) -> str:
    """Return a heading or key without its number, marks and case: renumbering renames nothing."""
    return re.sub(r"\W+", " ", _NUMBERING.sub("", heading.strip())).strip().casefold()


def sentences(text: str) -> list[str]:
    """Return what each unit of ``text`` says, as it stands there."""
    return [text[unit.start : unit.end] for unit in units(text)]


def place(of: list[Unit], offset: int) -> tuple[str, ...]:
    """Return the headings and keys that the code point at ``offset`` stands under."""
    nth = bisect_right(of, offset, key=lambda unit: unit.end)
    return of[nth].path if nth < len(of) else ()


def _units(text: str) -> Iterator[Unit]:
    headings: _Open = [(0, ())]
    keys: _Open = [(-1, ())]
    prose: list[tuple[int, int]] = []
    header = ""
    opening = _FRONT.match(text)
    front = opening.end() if opening else 0
    for begin, line in _lines(text):
        words = line.strip()
        start = begin + line.find(words)
        end = start + len(words)
        data = _data(line)
        kind = DATA if data else _kind(words)
        if prose and (kind is not PROSE or _gap(text, prose[-1][1], start)):
            yield from _split(text, prose[0][0], prose[-1][1], PROSE, headings[-1][1])
            prose = []
        if kind is None:
            continue
        if kind is not ROW:
            header = ""
        if data:
            yield Unit(start, end, DATA, _key_path(keys, data))
        elif kind is PROSE:
            prose.append((start, end))
        elif kind is ITEM or (kind is HEADING and start < front):
            yield from _split(text, start, end, ITEM, headings[-1][1])
        elif kind is HEADING:
            path = _heading_path(headings, words)
            keys = [(-1, path)]
            yield Unit(start, end, HEADING, path)
        else:
            name = plain_name(words)
            header = header or name
            path = headings[-1][1]
            yield Unit(start, end, ROW, path if name == header else (*path, header))
    if prose:
        yield from _split(text, prose[0][0], prose[-1][1], PROSE, headings[-1][1])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    begin = 0
    for line in text.replace("\r", "\n").split("\n"):
        if line:
            yield begin, line
        begin += len(line) + 1


def _kind(words: str) -> Kind | None:
    if not _WORD.search(words):
        return None
    if words.startswith("#") and _HEADING_LINE.match(words):
        return HEADING
    if words.startswith("|") or words.count(" | ") > 1:
        return ROW
    return ITEM if _ITEM_LINE.match(words) else PROSE


def _data(line: str) -> re.Match[str] | None:
    """Read a `key: value` line, if it is data and not a sentence with a colon in it."""
    found = _DATA_LINE.match(line) if ":" in line or "=" in line else None
    if found is None:
        return None
    value = found["value"] or ""
    return None if value[:1] not in ("'", '"') and _SENTENCE.search(value) else found


def _gap(text: str, end: int, start: int) -> bool:
    return len(re.findall(r"\r\n|\r|\n", text[end:start])) > 1


def _under(opened: _Open, level: int) -> tuple[str, ...]:
    """Close what a line at ``level`` ends and return the path that stays open."""
    while opened[-1][0] >= level:
        opened.pop()
    return opened[-1][1]


def _heading_path(headings: _Open, words: str) -> tuple[str, ...]:
    found = _HEADING_LINE.match(words)
    level, name = (len(found[1]), found[2]) if found else (1, words)
    path = (*_under(headings, level), plain_name(name))
    headings.append((level, path))
    return path


def _key_path(keys: _Open, found: re.Match[str]) -> tuple[str, ...]:
    """Keep the open keys by indent, and name an item of a list by its first `key: value`."""
    blanks, dash, quoted, value = found.groups("")
    key, indent = quoted.strip("\"' "), len(blanks.expandtabs())
    if dash:
        item = (*_under(keys, indent + 1), f"{key}: {_bare(value)}")
        keys.append((indent + 1, item))
        return (*item, key)
    path = (*_under(keys, indent), key)
    if value in ("", "{", "["):
        keys.append((indent, path))
    return path


def _bare(value: str) -> str:
    return value.strip().rstrip(",").strip("\"'").strip()


def _split(text: str, start: int, end: int, kind: Kind, path: tuple[str, ...]) -> Iterator[Unit]:
    """Split where a sentence ends, not after `Max.`, `4.2` or the number of an item."""
    said = text[start:end]
    begin = 0
    for stop in _STOP.finditer(said):
        if _SHORT.search(said[max(begin, stop.start() - 12) : stop.start()]):
            continue
        closed = stop.start() + len(stop.group().rstrip())
        yield Unit(start + begin, start + closed, kind, path)
        begin = stop.end()
    if begin < len(said):
        yield Unit(start + begin, end, kind, path)


def _with_lists(text: str, found: list[Unit]) -> list[Unit]:
    """Join a line that ends in a colon with the short list below it."""
    joined: list[Unit] = []
    at = 0
    while at < len(found):
        opener, last = found[at], _last_item(text, found, at)
        if last > at and found[last].end - opener.start <= _LIST_LIMIT:
            joined.append(Unit(opener.start, found[last].end, ITEM, opener.path))
            at = last
        else:
            joined.append(opener)
        at += 1
    return joined


def _last_item(text: str, found: list[Unit], at: int) -> int:
    """Return the last of the items under the unit ``at``, or one past the limit; else ``at``."""
    last, opener = at, found[at]
    while last + 1 < len(found) and found[last + 1].kind is ITEM:
        if last == at and not text[opener.start : opener.end].rstrip("*_ ").endswith(":"):
            break
        if found[last].end - opener.start > _LIST_LIMIT:
            break
        last += 1
    return last
