"""Measuring: interleaved rounds of floor and product, medians, db hits, and what a bar says."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neo4j import Driver

from app.graph.loader import load

STATEMENTS = load()


@dataclass(frozen=True)
class Measure:
    """One line of the table: ``product`` over ``floor`` (same unit) against a bar.

    ``at_most`` tells on which side of the bar the ratio has to lie.
    """

    name: str
    floor: float
    product: float
    unit: str
    bar: float
    at_most: bool = True
    note: str = ""

    @property
    def ratio(self) -> float:
        """Product over floor."""
        return self.product / self.floor if self.floor else float("inf")

    @property
    def held(self) -> bool:
        """Whether the bar holds."""
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes."""
    since = time.perf_counter()
    work()
    return time.perf_counter() - since


def interleaved(
    works: Mapping[str, Callable[[], object]], *, rounds: int, warm: int = 1
) -> dict[str, list[float]]:
    """Run the works in turn, round after round, and return the seconds of each, sorted."""
    for _ in range(warm):
        for work in works.values():
            work()
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            took[name].append(seconds(work))
    return {name: sorted(each) for name, each in took.items()}


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    return statistics.median(values)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that ``share`` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def hits(driver: Driver, text: str, **parameters: Any) -> int:
    """Return the db hits of a statement, by PROFILE."""
    with driver.session() as session:
        session.run(text, parameters).consume()
        profile = session.run(f"PROFILE {text}", parameters).consume().profile
    return _hits(profile or {})


def hits_of(driver: Driver, name: str, **parameters: Any) -> int:
    """Return the db hits of one of the product's statements."""
    return hits(driver, STATEMENTS[name].text, **parameters)


def _hits(operator: dict[str, Any]) -> int:
    own = int(operator.get("dbHits") or operator.get("args", {}).get("DbHits") or 0)
    return own + sum(_hits(child) for child in operator.get("children", ()))
