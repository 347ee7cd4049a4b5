"""A text as units: sentences, headings, list items, `key: value` lines, table rows (DESIGN §5).

Offsets are half-open ``[start, end)`` in code points of the text as stored; nothing is rewritten.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What a unit is: prose, a heading, an item of a list, a line of data, a row of a table."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    DATA = "data"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a text that says one thing, and the headings or keys under which it says it."""

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...]


_WORD: Final = re.compile(r"\w")
_LINE: Final = re.compile(r"[^\r\n]+")
_FRONT: Final = re.compile(r"(---|\+\+\+)\s*\n.*?^\1\s*$", re.DOTALL | re.MULTILINE)
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*)")
_ITEM: Final = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+")
_DATA: Final = re.compile(
    r"""(?P<indent>\s*+)(?P<dash>-\s+)?(?P<key>["']?[A-Za-z_][\w.-]*+(?: [\w.-]++){0,2}["']?)\s*+"""
    r"""(?:[=:](?:\s++(?P<value>.*))?$)"""
)
_SENTENCE: Final = re.compile(r"[.!?]\s|\w{3,}[.!?]$|,\s\w+\s")
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
    return next((unit.path for unit in of if offset < unit.end), ())


def _units(text: str) -> Iterator[Unit]:
    headings: list[tuple[int, str]] = []
    keys: list[tuple[int, str]] = []
    prose: list[tuple[int, int]] = []
    header = ""
    opening = _FRONT.match(text)
    front = opening.end() if opening else 0
    for line in _LINE.finditer(text):
        words = line.group().strip() if _WORD.search(line.group()) else ""
        start = line.start() + line.group().find(words) if words else line.start()
        data = _data(line.group())
        kind = Kind.DATA if data else _kind(words)
        if kind is Kind.HEADING and start < front:
            kind = Kind.ITEM
        if prose and (kind is not Kind.PROSE or not words or _gap(text, prose[-1][1], start)):
            yield from _prose(text, prose, headings)
            prose = []
        if not words:
            continue
        end = start + len(words)
        if kind is Kind.PROSE:
            prose.append((start, end))
            header = ""
            continue
        if kind is Kind.HEADING:
            _open_heading(headings, words)
            keys = []
        path = tuple(name for _, name in headings)
        header = (header or plain_name(words)) if kind is Kind.ROW else ""
        if kind is Kind.ROW and plain_name(words) != header:
            path = (*path, header)
        if data:
            yield Unit(start, end, kind, path + _key_path(keys, data))
        elif kind is Kind.ITEM:
            yield from _split(text, start, end, kind, path)
        else:
            yield Unit(start, end, kind, path)
    yield from _prose(text, prose, headings)


def _kind(words: str) -> Kind:
    if words.startswith("#") and _HEADING.match(words):
        return Kind.HEADING
    if words.startswith("|") or words.count(" | ") > 1:
        return Kind.ROW
    return Kind.ITEM if _ITEM.match(words) else Kind.PROSE


def _data(line: str) -> re.Match[str] | None:
    """Read a `key: value` line, if it is data and not a sentence with a colon in it."""
    found = _DATA.match(line) if ":" in line or "=" in line else None
    if found is None or (found["value"] or "")[:1] in ("'", '"'):
        return found
    return None if _SENTENCE.search(found["value"] or "") else found


def _gap(text: str, end: int, start: int) -> bool:
    return len(re.findall(r"\r\n|\r|\n", text[end:start])) > 1


def _open_heading(headings: list[tuple[int, str]], words: str) -> None:
    found = _HEADING.match(words)
    level, name = (len(found[1]), found[2]) if found else (1, words)
    while headings and headings[-1][0] >= level:
        headings.pop()
    headings.append((level, plain_name(name)))


def _key_path(keys: list[tuple[int, str]], found: re.Match[str]) -> tuple[str, ...]:
    """Keep the open keys by indent, and name an item of a list by its first `key: value`."""
    key, value = found["key"].strip("\"' "), found["value"] or ""
    indent = len(found["indent"].expandtabs())
    opens = value in ("", "{", "[")
    if found["dash"]:
        _close(keys, indent + 1)
        keys.append((indent + 1, f"{key}: {_bare(value)}"))
        return (*(name for _, name in keys), key)
    if not keys or keys[-1][0] >= indent or opens:
        _close(keys, indent)
    path = (*(name for level, name in keys if level < indent), key)
    if opens:
        keys.append((indent, key))
    return path


def _bare(value: str) -> str:
    return value.strip().rstrip(",").strip("\"'").strip()


def _close(keys: list[tuple[int, str]], indent: int) -> None:
    while keys and keys[-1][0] >= indent:
        keys.pop()


def _prose(
    text: str, lines: list[tuple[int, int]], headings: list[tuple[int, str]]
) -> Iterator[Unit]:
    if lines:
        path = tuple(name for _, name in headings)
        yield from _split(text, lines[0][0], lines[-1][1], Kind.PROSE, path)


def _split(text: str, start: int, end: int, kind: Kind, path: tuple[str, ...]) -> Iterator[Unit]:
    """Split where a sentence ends, not after `Max.`, `4.2` or the number of an item."""
    said = text[start:end]
    begin = 0
    for stop in _STOP.finditer(said):
        before = said[begin : stop.start()]
        if _SHORT.search(before[-12:] if len(before) > 12 else before):
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
        last = at
        opener = found[at]
        if text[opener.start : opener.end].rstrip("*_ ").endswith(":"):
            while last + 1 < len(found) and found[last + 1].kind is Kind.ITEM:
                last += 1
        if last > at and found[last].end - opener.start <= _LIST_LIMIT:
            joined.append(Unit(opener.start, found[last].end, Kind.ITEM, opener.path))
            at = last
        else:
            joined.append(opener)
        at += 1
    return joined
