"""Every query by name. Declarations only: no file and no driver is opened, so the flow may import.

A query is declared in ``app/graph/queries``, one module a step:
``NAME = Query("step/verb_noun", Row)`` stands for ``cypher/step/verb_noun.cypher``.
"""

from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar

from app.graph import queries as steps

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Query(Generic[R]):
    """A statement's name and the frozen dataclass that each of its records becomes."""

    name: str
    row: type[R]


def queries() -> tuple[Query[Any], ...]:
    """Return every declaration; one that a step imports from another counts once."""
    modules = [
        import_module(found.name) for found in iter_modules(steps.__path__, f"{steps.__name__}.")
    ]
    declared = [
        value for step in modules for value in vars(step).values() if isinstance(value, Query)
    ]
    return tuple({id(query): query for query in declared}.values())
