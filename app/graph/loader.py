"""Reads the queries of the ``cypher`` package; refuses it whole where file and catalogue disagree.

A file begins with comment lines::

    // What it does, one or two sentences.
    // params: tenant, source_id          (or `none`; a long list goes on in the next comment line)
    // columns: tiles_seq, last_tx        (or `none`)
    // access: read | write
    // tenant: all — reason               (only where it spans tenants)
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import takewhile
from typing import Any, Final

from app.core.errors import InvalidInput, Problem
from app.graph.catalog import Query, queries
from app.graph.cypher_text import is_one_statement, parameters, writing_clauses

_APART: Final = frozenset({"audit", "migrations"})  # folders that hold no queries
_KEY: Final = re.compile(r"(params|columns|access|tenant):\s*(.*)")
_ALL: Final = "all — "


@dataclass(frozen=True, slots=True)
class Statement:
    """A query file: what its header declares, and the text that runs.

    ``all_tenants`` is the reason for which it spans tenants, ``None`` for the ordinary case.
    """

    name: str
    about: str
    params: tuple[str, ...]
    columns: tuple[str, ...]
    access: str
    all_tenants: str | None
    text: str


def load(
    declared: Iterable[Query[Any]] | None = None, package: Traversable | None = None
) -> Mapping[str, Statement]:
    """Return every query of the catalogue by name, checked against its file and its row type.

    Raises ``InvalidInput`` ``CYPHER_INVALID`` with one problem for each disagreement.
    """
    catalogue = tuple(queries() if declared is None else declared)
    sources = {
        name: source
        for name, source in cypher_files(package or files("cypher"))
        if name.partition("/")[0] not in _APART
    }
    statements: dict[str, Statement] = {}
    problems = [*_catalogue_problems(catalogue, sources)]
    for query in catalogue:
        if query.name in sources:
            statement, found = parse(query.name, sources[query.name])
            statements[query.name] = statement
            found += [*_text_problems(statement), *_row_problems(statement, query.row)]
            problems += [Problem(_path(query.name), message) for message in found]
    if problems:
        raise InvalidInput("CYPHER_INVALID", problems)
    return statements


def cypher_files(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield name (``step/verb_noun``) and content of every ``.cypher`` file under ``folder``."""
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        if entry.is_dir():
            yield from cypher_files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            yield prefix + entry.name.removesuffix(".cypher"), entry.read_text(encoding="utf-8")


def parse(name: str, source: str) -> tuple[Statement, list[str]]:
    """Split a file into header and text; also tell what its header lacks or says wrongly."""
    lines = source.strip().splitlines()
    header = [line[2:].strip() for line in takewhile(lambda line: line.startswith("//"), lines)]
    about, keys = _read_header(header)
    reason = keys.get("tenant")
    statement = Statement(
        name=name,
        about=about,
        params=_names(keys.get("params", "none")),
        columns=_names(keys.get("columns", "none")),
        access=keys.get("access", ""),
        all_tenants=reason and reason.removeprefix(_ALL),
        text="\n".join(lines[len(header) :]).strip().removesuffix(";"),
    )
    return statement, list(_header_problems(about, keys))


def _read_header(lines: Iterable[str]) -> tuple[str, dict[str, str]]:
    about: list[str] = []
    keys: dict[str, str] = {}
    last = None
    for line in lines:
        if found := _KEY.fullmatch(line):
            last, keys[found[1]] = found[1], found[2]
        elif last is None:
            about.append(line)
        else:
            keys[last] += f" {line}"
    return " ".join(about), keys


def _names(listed: str) -> tuple[str, ...]:
    return () if listed == "none" else tuple(name.strip() for name in listed.split(","))


def _header_problems(about: str, keys: Mapping[str, str]) -> Iterator[str]:
    if not about:
        yield "does not say what it does: begin with `// One sentence.`"
    for key in ("params", "columns"):
        if key not in keys:
            yield f"has no `// {key}:` line: add one, `none` where there is none"
        elif not all(map(str.isidentifier, names := _names(keys[key]))):
            yield f"`// {key}:` is no list of names: write `a, b` or `none`"
        elif len(set(names)) < len(names):
            yield f"`// {key}:` names something twice: name it once"
    if keys.get("access") not in {"read", "write"}:
        yield "has no `// access: read` or `// access: write` line: add it"
    if "tenant" in keys and not re.fullmatch(_ALL + r"\S.*", keys["tenant"]):
        yield "`// tenant:` gives no reason: write `all — reason`, or leave the line out"


def _text_problems(statement: Statement) -> Iterator[str]:
    used, declared = parameters(statement.text), set(statement.params)
    for name in sorted(used - declared):
        yield f"uses ${name}, which `// params:` does not name: add it there"
    for name in sorted(declared - used):
        yield f"does not use ${name}, which `// params:` names: remove it there"
    writes = writing_clauses(statement.text)
    if statement.access == "read" and writes:
        yield f"says `access: read`, yet holds {writes[0]}: say `write`, or drop the clause"
    if statement.access == "write" and not writes:
        yield "says `access: write`, yet writes nothing: say `read`"
    if not is_one_statement(statement.text):
        yield "is not exactly one statement: one a file"


def _row_problems(statement: Statement, row: type[Any]) -> Iterator[str]:
    wanted = {field.name for field in fields(row)}
    for name in sorted(set(statement.columns) ^ wanted):
        where = f"row {row.__name__}" if name in statement.columns else "`// columns:`"
        yield f"column {name} is missing from {where}: both must list the same"


def _catalogue_problems(
    catalogue: Iterable[Query[Any]], sources: Mapping[str, str]
) -> Iterator[Problem]:
    seen: set[str] = set()
    for query in catalogue:
        if query.name in seen:
            yield Problem(_path(query.name), "is declared twice in the catalogue: keep one")
        elif query.name not in sources:
            yield Problem(_path(query.name), "is declared, but there is no such file: write it")
        seen.add(query.name)
    for name in sorted(sources.keys() - seen):
        yield Problem(_path(name), "is not in the catalogue: declare it in app/graph/queries")


def _path(name: str) -> str:
    return f"cypher/{name}.cypher"
