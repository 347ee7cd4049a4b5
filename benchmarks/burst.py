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
_OPEN: Final = """
CALL () {
  MATCH (c:Change) WHERE c.state = 'open' AND c.tenant > '' RETURN count(c) AS n
  UNION ALL MATCH (j:Job) WHERE j.state = 'open' AND j.tenant > '' RETURN count(j) AS n
  UNION ALL
  MATCH (e:Emit) WHERE e.state = 'open' AND e.tenant STARTS WITH $name RETURN count(e) AS n
}
RETURN sum(n) AS n
"""
_WAITING: Final = """
MATCH (s:Source) WHERE s.tenant > '' AND s.unindexed_since >= 0 REMOVE s.unindexed_since
RETURN count(s) AS n
"""
_TENANT: Final = "burst"
_LIMIT: Final = 300
_BETWEEN: Final = 0.3
_doze: Final = partial(time.sleep, 0.1)
_USUAL: Final = 20


def measured(stage: Stage, *, answers: int, rounds: int, rested: bool) -> Iterator[Measure]:
    """Yield how long the workers take for all, and what another tenant waits meanwhile.

    ``rested``: a round begins when what other benchmarks left is done, and the windows of the round
    before are closed, which takes a minute, so none pays for another. What they left to be indexed
    is not indexed.
    """
    with path.workers(stage):
        _rest(stage, rested)
        first = settled(stage, answers)  # a server that is not warm yet compiles what it runs
        alone = [settled(stage, answers) for _ in range(rounds) if _rest(stage, rested)]
        other = path.product_of(stage)
        for _ in range(5):
            other.once()
        usual = [other.once() for _ in range(_USUAL)]
        meanwhile: list[float] = []
        change = partial(_now_and_then, other, meanwhile)
        beside = [settled(stage, answers, change) for _ in range(rounds) if _rest(stage, rested)]
    took = ", ".join(f"{each:.1f}" for each in (first, *alone))
    note = f"in turn {took} s; with another tenant's changes {median(beside):.1f} s"
    name = f"one change, {answers:,} answers on it: all settled"
    yield Measure(name, 5.0, median(alone), "s", 1.0, note=note)
    low, high = median(usual) * 1e3, median(meanwhile) * 1e3
    note = f"{len(meanwhile)} changes of the other tenant"
    yield Measure(
        "another tenant's change meanwhile ÷ its usual time", low, high, "ms", 2.0, note=note
    )


def _now_and_then(other: path.Product, took: list[float]) -> None:
    """Make a change of the other tenant, then none for a while."""
    took.append(other.once())
    time.sleep(_BETWEEN)


def _rest(stage: Stage, wanted: bool) -> bool:
    """Wait, where it is wanted, until nothing is left to do but windows of other benchmarks."""
    since = time.perf_counter()
    while wanted and any(_left(stage)):
        require(time.perf_counter() - since < _LIMIT, "there is always something left to do")
        time.sleep(1)
    return True


def _left(stage: Stage) -> list[int]:
    """Return how much waited to be indexed, which does not any more, and how much else waits."""
    asked = (stage.driver.execute_query(text, name=_TENANT) for text in (_WAITING, _OPEN))
    return [int(each.records[0]["n"]) for each in asked]


def settled(stage: Stage, answers: int, pause: Callable[[], object] = _doze) -> float:
    """Change what so many answers rest on; return the seconds until the workers settled all."""
    tenant = stage.tenant(_TENANT)
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
