"""Ways in which a Cypher statement may be slightly wrong.

``predicate``: a condition of a WHERE is gone. ``bound``: ``<`` is ``<=``, or the other way round.
``anchor``: what keeps a pattern inside one tenant, or one source of it, is gone. ``lock``: the
write that takes a lock is gone. A condition that holds of everything, and is there so that an index
serves, is none: without it the result is the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.graph.cypher_text import masked

_CLAUSE: Final = re.compile(
    r"(?<!STARTS )(?<!ENDS )\b(?:RETURN|WITH|MATCH|OPTIONAL|SET|CREATE|MERGE|ORDER|UNION|CALL"
    r"|DELETE|FOREACH|UNWIND|LIMIT|SKIP|ON|USING|REMOVE|DETACH|FINISH)\b"
)
_TOKEN: Final = re.compile(rf"[(\[{{]|[)\]}}]|\bCASE\b|\bEND\b|\||\bAND\b|\bOR\b|{_CLAUSE.pattern}")
_OPEN, _CLOSE = frozenset("([{") | {"CASE"}, frozenset(")]}") | {"END"}
_BOUND: Final = re.compile(r"(?<![-<=])(?:<=|>=|<|>)(?![-=>])")
_OTHER: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ANCHORED: Final = re.compile(r"\w+\.(?:tenant|source_key) = ")
_EVER: Final = re.compile(r"\w+\.\w+ (?:>= [01]|> '')")  # of everything: for an index alone
_KEYED: Final = re.compile(r"(?P<before>, )?\b(?:tenant|source_key): [^,{}]+(?P<after>, )?")
_LOCK: Final = re.compile(r"SET \w+\.locked_by = \$token\n?")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A piece of a statement's text, and what stands there instead."""

    kind: str
    start: int
    end: int
    instead: str

    def of(self, text: str) -> str:
        """Return ``text`` with the mistake in it."""
        return text[: self.start] + self.instead + text[self.end :]

    def shown(self, text: str) -> str:
        """Tell on one line what became what."""
        lines = text[: self.start].split("\n")
        was, now = (" ".join(part.split()) for part in (text[self.start : self.end], self.instead))
        return f"{len(lines)}:{len(lines[-1]) + 1} {was} → {now or 'nothing'}"


def mutants(text: str) -> list[Mutant]:
    """Return every mutant of ``text``, in its order."""
    plain = masked(text)
    found = [
        *_conditions(text, plain),
        *_bounds(text, plain),
        *_anchors(text, plain),
        *_locks(plain),
    ]
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.kind))


def _conditions(text: str, plain: str) -> Iterator[Mutant]:
    for where in re.finditer(r"\bWHERE\b", plain):
        end, cuts = _condition(plain, where.end())
        word = "OR" if any(plain.startswith("OR", cut) for cut in cuts) else "AND"
        cuts = [cut for cut in cuts if plain.startswith(word, cut)]
        starts = [_next(text, lo) for lo in (where.end(), *(cut + len(word) for cut in cuts))]
        ends = [len(text[:hi].rstrip()) for hi in (*cuts, end)]
        for place, (lo, hi) in enumerate(zip(starts, ends, strict=True)):
            if _EVER.fullmatch(text, lo, hi):
                continue
            kind = "anchor" if _ANCHORED.match(text, lo) else "predicate"
            if place:
                yield Mutant(kind, ends[place - 1], hi, "")
            elif cuts:
                yield Mutant(kind, lo, starts[1], "")
            else:
                yield Mutant(kind, where.start(), hi, "")


def _next(text: str, start: int) -> int:
    return len(text) - len(text[start:].lstrip())


def _condition(plain: str, start: int) -> tuple[int, list[int]]:
    depth, cuts = 0, []
    for token in _TOKEN.finditer(plain, start):
        if token[0] in _OPEN:
            depth += 1
        elif depth and token[0] in _CLOSE:
            depth -= 1
        elif not depth and token[0] in {"AND", "OR"}:
            cuts.append(token.start())
        elif not depth:
            return token.start(), cuts
    return len(plain), cuts


def _bounds(text: str, plain: str) -> Iterator[Mutant]:
    for found in _BOUND.finditer(plain):
        if not text.startswith(" ''", found.end()):
            yield Mutant("bound", found.start(), found.end(), _OTHER[found[0]])


def _anchors(text: str, plain: str) -> Iterator[Mutant]:
    for found in _KEYED.finditer(plain):
        clause = [clause[0] for clause in _CLAUSE.finditer(plain, 0, found.start())][-1:]
        if clause not in (["MATCH"], ["MERGE"]):
            continue
        if not found["before"] and not found["after"]:
            start, end = plain.rindex("{", 0, found.start()), plain.index("}", found.end()) + 1
            yield Mutant("anchor", start, end, "")
        else:
            comma = ", " if found["before"] and found["after"] else ""
            yield Mutant("anchor", found.start(), found.end(), comma)


def _locks(plain: str) -> Iterator[Mutant]:
    for found in _LOCK.finditer(plain):
        yield Mutant("lock", found.start(), found.end(), "")
