"""What an audit query says of itself: ``cypher/audit``."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit query. ``examples`` has a value for each parameter, of the type that it takes."""

    name: str
    title: str
    about: str
    invariant: bool
    examples: Mapping[str, object]
    text: str
