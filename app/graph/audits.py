"""Audit queries: ``cypher/audit/*.cypher``, which also run when pasted into Neo4j Browser.

A file begins with ``// Title``, then ``// text``, then ``:param name => example`` lines for the
Browser. ``// invariant: yes`` among the text says that an empty result means health.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from neo4j import Driver, ManagedTransaction
from neo4j.graph import Node, Path, Relationship

from app.core.errors import Invalid, InvalidInput, NotFound, Problem
from app.graph.cypher_text import is_one_statement, parameters, writing_clauses
from app.graph.errors import translated
from app.graph.loader import cypher_files
from app.graph.queries.audit import Audit

_PARAM: Final = re.compile(r":param\s+(\w+)\s*=>\s*(.+?);?")
_INVARIANT: Final = "invariant: yes"
_CONSTANTS: Final = {"true": True, "false": False, "null": None}


def load_audits(package: Traversable | None = None) -> Mapping[str, Audit]:
    """Return the audits by name. Raises ``InvalidInput`` ``CYPHER_INVALID`` with every problem."""
    audits: dict[str, Audit] = {}
    problems: list[Problem] = []
    for name, source in cypher_files((package or files("cypher")) / "audit"):
        audit, found = parse_audit(name, source)
        audits[name] = audit
        problems += [Problem(f"cypher/audit/{name}.cypher", message) for message in found]
    if problems:
        raise InvalidInput("CYPHER_INVALID", problems)
    return audits


def parse_audit(name: str, source: str) -> tuple[Audit, list[str]]:
    """Split a file into title, text, examples and statement; also tell what is wrong with it."""
    lines = [line.strip() for line in source.strip().splitlines()]
    body = next((n for n, line in enumerate(lines) if not line.startswith(("//", ":"))), len(lines))
    comments = [line[2:].strip() for line in lines[:body] if line.startswith("//")]
    title, *about = comments or [""]
    given = [_PARAM.fullmatch(line) for line in lines[:body] if line.startswith(":")]
    examples = {found[1]: found[2] for found in given if found}
    values = {key: _literal(written) for key, written in examples.items()}
    audit = Audit(
        name=name,
        title=title,
        about=" ".join(line for line in about if line not in {"", _INVARIANT}),
        invariant=_INVARIANT in about,
        examples=values,
        text="\n".join(source.strip().splitlines()[body:]).strip().removesuffix(";"),
    )
    problems = list(_problems(audit))
    if None in given:
        problems.append("has a line that is no `:param name => example`: write it so")
    return audit, problems


def _literal(written: str) -> object:
    try:
        return _CONSTANTS[written] if written in _CONSTANTS else ast.literal_eval(written)
    except (SyntaxError, ValueError):
        return ...


def _problems(audit: Audit) -> Iterator[str]:
    if not audit.title:
        yield "has no title: begin with `// Title`"
    for name in sorted(parameters(audit.text) - audit.examples.keys()):
        yield f"uses ${name} without an example: add `:param {name} => …`"
    for name in sorted(audit.examples.keys() - parameters(audit.text)):
        yield f"does not use ${name}: remove its `:param` line"
    for name in sorted(name for name, value in audit.examples.items() if value is ...):
        yield f"the example of ${name} is no literal: write a text in quotes, a number or a list"
    if writes := writing_clauses(audit.text):
        yield f"holds {writes[0]}: an audit only reads"
    if not is_one_statement(audit.text):
        yield "is not exactly one statement: one a file"


class Neo4jAudits:
    """Lists and runs the audits on a server."""

    def __init__(self, driver: Driver, audits: Mapping[str, Audit] | None = None) -> None:
        self._driver: Final = driver
        self.audits: Final = load_audits() if audits is None else audits

    def run(self, name: str, given: Mapping[str, object]) -> list[dict[str, object]]:
        """Return the rows of an audit as plain values; nodes, relationships and paths as maps.

        Raises ``NotFound`` ``AUDIT_UNKNOWN``, ``Invalid`` ``AUDIT_PARAMETER``.
        """
        if (audit := self.audits.get(name)) is None:
            raise _unknown(name, self.audits)
        if differing := given.keys() ^ audit.examples.keys():
            raise _misfit(min(differing), audit)
        with translated(), self._driver.session() as session:
            return session.execute_read(_rows, audit, dict(given))


def _unknown(name: str, audits: Mapping[str, Audit]) -> NotFound:
    close = get_close_matches(name, audits)
    hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(audits)}."
    return NotFound("AUDIT_UNKNOWN", f"there is no audit query {name!r}", field="name", hint=hint)


def _misfit(parameter: str, audit: Audit) -> Invalid:
    what = "needs" if parameter in audit.examples else "does not take"
    taken = ", ".join(f"{name} (such as {value!r})" for name, value in audit.examples.items())
    return Invalid(
        "AUDIT_PARAMETER",
        f"{audit.name} {what} the parameter {parameter}",
        field=parameter,
        hint=f"It takes {taken}." if taken else "It takes none.",
    )


def _rows(
    tx: ManagedTransaction, audit: Audit, given: dict[str, object]
) -> list[dict[str, object]]:
    result = tx.run(f"// audit/{audit.name}\n{audit.text}", given)
    names = result.keys()
    return [dict(zip(names, map(plain, record), strict=True)) for record in result]


def plain(value: object) -> object:
    """Return ``value`` without driver types: a node as a map, a path as the list of its parts."""
    match value:
        case Node():
            return {"labels": sorted(value.labels), "properties": _properties(value)}
        case Relationship():
            return {"type": value.type, "properties": _properties(value)}
        case Path():
            return [plain(part) for part in _parts(value)]
        case list():
            return [plain(item) for item in value]
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case _:
            return value


def _properties(entity: Node | Relationship) -> dict[str, object]:
    return {key: entity[key] for key in sorted(entity.keys())}


def _parts(path: Path) -> Iterator[Node | Relationship]:
    yield path.nodes[0]
    for step, node in zip(path.relationships, path.nodes[1:], strict=True):
        yield step
        yield node
