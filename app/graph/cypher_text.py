"""What can be told of a Cypher text without a server: parameters, clauses, number of statements."""

import re
from collections.abc import Set as AbstractSet
from typing import Final

_OPAQUE: Final = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | `(?:``|[^`])*`""",
    re.DOTALL | re.VERBOSE,
)
_PARAMETER: Final = re.compile(r"\$(\w+)")
_WRITES: Final = re.compile(
    r"(?<![\w.:$])(?<!\bAS\s)(CREATE|MERGE|SET|DELETE|REMOVE|DETACH|FOREACH|DROP)\b(?!\s*[:,)=.\]}])",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """Return ``text`` of the same shape, with comments, strings and quoted names blanked."""
    return _OPAQUE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def parameters(text: str) -> AbstractSet[str]:
    """Return the names of the ``$parameters`` that ``text`` uses."""
    return frozenset(_PARAMETER.findall(masked(text)))


def writing_clauses(text: str) -> list[str]:
    """Return the clauses of ``text`` that write, in order, upper case."""
    return [clause.upper() for clause in _WRITES.findall(masked(text))]


def is_one_statement(text: str) -> bool:
    """Tell whether ``text`` is exactly one statement, a last semicolon allowed."""
    parts = masked(text).rstrip().removesuffix(";").split(";")
    return len(parts) == 1 and bool(parts[0].strip())
