"""One change that thousands of answers rest on, and another tenant's change meanwhile."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from app.core.states import Status
from app.worker.send import CeleryWake
from benchmarks import corpus, path
from benchmarks.stage import Stage, require
from benchmarks.timing import Measure, median

_SETTLED: Final = """
MATCH (a:SAVED_ANSWER) WHERE a.tenant = $tenant AND a.status = $stale RETURN count(a) AS settled
"""
_LIMIT: Final = 300
_doze: Final = partial(time.sleep, 0.05)
_USUAL: Final = 20


def measured(stage: Stage, *, answers: int) -> Iterator[Measure]:
    """Yield how long the workers take for all, and what another tenant waits meanwhile."""
    with path.workers(stage):
        first = settled(stage, answers)  # a server that is not warm yet compiles what it runs
        other = path.product_of(stage)
        for _ in range(5):
            other.once()
        usual = [other.once() for _ in range(_USUAL)]
        took, meanwhile = _through(stage, other, answers)
    name = f"one change, {answers:,} answers on it: all settled"
    yield Measure(name, 5.0, took, "s", 1.0, note=f"the first such one took {first:.1f} s")
    low, high = median(usual) * 1e3, median(meanwhile) * 1e3
    note = f"{len(meanwhile)} changes of the other tenant"
    yield Measure(
        "another tenant's change meanwhile ÷ its usual time", low, high, "ms", 2.0, note=note
    )


def _through(stage: Stage, other: path.Product, answers: int) -> tuple[float, list[float]]:
    """Return the seconds until all answers are settled, and of each of the other's meanwhile."""
    meanwhile: list[float] = []
    return settled(stage, answers, lambda: meanwhile.append(other.once())), meanwhile


def settled(stage: Stage, answers: int, pause: Callable[[], object] = _doze) -> float:
    """Change what so many answers rest on; return the seconds until the workers settled all."""
    tenant = stage.tenant("burst")
    tx = stage.version(tenant, "s", "The limit is 1.").tx
    stage.settle(tenant)
    corpus.build_citing(stage.driver, stage.size, tenant, tx, answers=answers)
    stage.version(tenant, "s", "The limit is 2.")
    since = time.perf_counter()
    CeleryWake(stage.settings)(tenant)
    while _settled(stage, tenant) < answers:
        pause()
        require(time.perf_counter() - since < _LIMIT, "the burst was not settled")
    return time.perf_counter() - since


def _settled(stage: Stage, tenant: str) -> int:
    given = {"tenant": tenant, "stale": Status.STALE}
    return int(stage.driver.execute_query(_SETTLED, given).records[0]["settled"])
