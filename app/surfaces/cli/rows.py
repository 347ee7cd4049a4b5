"""How the rows of an audit look to people."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from app.core.instants import FOREVER, LATEST, rfc3339
from app.surfaces.cli.text import NONE, Listing, yes

Row = Mapping[str, object]

_TIME: Final = re.compile(r"(?:.*_)?(?:at|tx|from|to|since|until|point)")


def drawn_rows(rows: Sequence[Row]) -> RenderableType:
    """Return rows without what is drawn as a graph: paths are for Neo4j Browser and ``--json``."""
    if not rows:
        return Text("no rows", "dim")
    drawn = {name for row in rows for name, value in row.items() if _is_graph(value)}
    columns = [name for name in rows[0] if name not in drawn]
    cells = [[_told(name, row[name]) for name in columns] for row in rows]
    return Listing(columns, cells)


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
