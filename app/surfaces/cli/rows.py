"""How the rows of an audit look to people: a table where it fits, else a block for each row."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from app.core.instants import FOREVER, LATEST, rfc3339
from app.surfaces.cli.text import NONE, facts, plain, table, yes

Row = Mapping[str, object]

_GAP: Final = 2
_TIME: Final = re.compile(r"(?:.*_)?(?:at|tx|from|to|since|until|point)")


def drawn_rows(rows: Sequence[Row], *, width: int) -> RenderableType:
    """Return rows without what is drawn as a graph: paths are for Neo4j Browser and ``--json``."""
    if not rows:
        return Text("no rows", "dim")
    drawn = {name for row in rows for name, value in row.items() if _is_graph(value)}
    columns = [name for name in rows[0] if name not in drawn]
    cells = [[_told(name, row[name]) for name in columns] for row in rows]
    if _needed([columns, *cells]) <= width:
        return table(columns, cells)
    return Group(*_blocks(columns, cells))


def _told(name: str, value: object) -> str:
    match value:
        case None:
            return NONE
        case bool():
            return yes(value)
        case int() if _TIME.fullmatch(name):
            return _time(value)
        case int() | float() | str():
            return str(value)
        case list() if all(isinstance(each, str | int) for each in value):
            return ", ".join(map(str, value)) or NONE
        case _:
            return json.dumps(value, ensure_ascii=False)


def _time(value: int) -> str:
    if 0 <= value <= LATEST:
        return rfc3339(value)
    return "further notice" if value == FOREVER else str(value)


def _is_graph(value: object) -> bool:
    """Whether a value is a node, a relationship, a path, or a list of these."""
    match value:
        case {"properties": _, "labels": _} | {"properties": _, "type": _}:
            return True
        case [_, *_]:
            return all(_is_graph(each) for each in value)
        case _:
            return False


def _needed(lines: Sequence[Sequence[str]]) -> int:
    widths = [max(map(len, column)) + _GAP for column in zip(*lines, strict=True)]
    return sum(widths)


def _blocks(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[RenderableType]:
    for nth, values in enumerate(cells):
        if nth:
            yield Text("")
        yield facts(zip((plain(name) for name in columns), values, strict=True))
