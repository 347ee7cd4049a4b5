"""From the commit of a change to the stored status, with a warm worker, beside its floor."""

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from celery import Celery
from redis import Redis

from app.local import stack as local
from app.worker.send import CeleryWake
from benchmarks.corpus import key
from benchmarks.stage import HOME, Stage, require
from benchmarks.timing import Measure, hits_of, median, quantile

_BARE_COMMIT: Final = "CREATE (:BenchCommit {tenant: $tenant})"
_HEAD: Final = "MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $id}) RETURN a.seq AS seq"
_COMMITS: Final = 4
_HOPS: Final = (
    "--concurrency=2",
    "--hostname=hops@%h",
    "--loglevel=ERROR",
    "--without-gossip",
    "--without-mingle",
)
_LIMIT: Final = 30
_POLL: Final = 0.003


@contextmanager
def workers(stage: Stage) -> Iterator[None]:
    """Run the product's worker and beat, and a worker of bare hops."""
    local.up(HOME)
    environment = {**os.environ, "TELHA_BROKER_URL": stage.endpoints.broker_url}
    bare = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "benchmarks.hops", "worker", *_HOPS],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        bare.terminate()
        bare.wait()
        local.stop(HOME, "worker", "beat")


def latencies(stage: Stage, *, rounds: int) -> tuple[list[float], list[float]]:
    """Return the seconds of floor and product, round by round in turn, warmed up."""
    floor, product = _Floor(stage), product_of(stage)
    for _ in range(5):
        floor.once()
        product.once()
    pairs = [(floor.once(), product.once()) for _ in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def hot_hits(stage: Stage) -> dict[str, int]:
    """Return the db hits of the statements on the way, over data of one small tenant."""
    tenant = stage.tenant("hits")
    tx = stage.version(tenant, "s", "The limit is 0.").tx
    answer_id = stage.answer(tenant, {"s": tx})
    stage.settle(tenant)
    at = [{"answer_id": answer_id, "at": stage.clock.now()}]
    taken: dict[str, dict[str, Any]] = {
        "ingest/read_winner": {"source_key": key("s", tenant), "at": stage.clock.now()},
        "recheck/read_heads": {"tenant": tenant, "ids": [answer_id]},
        "recheck/read_losses": {"tenant": tenant, "instants": at},
        "recheck/read_caveats": {"tenant": tenant, "instants": at},
        "recheck/read_boundaries": {"tenant": tenant, "instants": at},
        "recheck/read_pending": {"tenant": tenant, "ids": [answer_id]},
    }
    return {name: hits_of(stage.driver, name, **given) for name, given in taken.items()}


def measured(floor: list[float], product: list[float]) -> Iterator[Measure]:
    """Yield the median and the 95th percentile against the floor's."""
    for name, share, bar in (("p50", 0.5, 3.0), ("p95", 0.95, 7.0)):
        low, high = quantile(floor, share) * 1e3, quantile(product, share) * 1e3
        what = f"change → stored status ÷ two bare hops + four bare commits, {name}"
        yield Measure(what, low, high, "ms", bar)


def unrelated(
    levels: dict[int, list[float]], counted: dict[int, dict[str, int]]
) -> Iterator[Measure]:
    """Yield what the same change costs beside ten and a hundred times the unrelated data."""
    base, *more = sorted(levels)
    for level, bar in zip(more, (1.05, 1.15), strict=False):
        apart = max(abs(hits - counted[base][name]) for name, hits in counted[level].items())
        yield Measure(
            f"the same beside {level // base}× the unrelated data, p50",
            median(levels[base]) * 1e3,
            median(levels[level]) * 1e3,
            "ms",
            bar,
            note=f"db hits of a statement at most {apart} apart" if apart else "db hits equal",
        )


def product_of(stage: Stage) -> "Product":
    """Return one answer of a tenant of its own, settled."""
    tenant = stage.tenant("path")
    tx = stage.version(tenant, "s", "The limit is 0.").tx
    answer_id = stage.answer(tenant, {"s": tx})
    stage.settle(tenant)
    return Product(stage, tenant, answer_id)


class _Floor:
    """Two hops of a bare task, then four bare commits."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._sender = Celery(broker=stage.endpoints.broker_url)
        self._redis = Redis.from_url(stage.endpoints.broker_url)

    def once(self) -> float:
        """Return the seconds of one round."""
        key = f"bench:{uuid.uuid4()}"
        since = time.perf_counter()
        self._sender.send_task("bench.hop", args=[1, key], queue="bench")
        require(self._redis.blpop([key], timeout=_LIMIT) is not None, "no bare hop arrived")
        for _ in range(_COMMITS):
            with self._stage.driver.session() as session:
                session.execute_write(lambda tx: tx.run(_BARE_COMMIT, tenant="bench").consume())
        return time.perf_counter() - since


class Product:
    """A version that displaces a citation anew; from its commit until the answer says so."""

    def __init__(self, stage: Stage, tenant: str, answer_id: str) -> None:
        self._stage, self._tenant, self._answer_id = stage, tenant, answer_id
        self._wake = CeleryWake(stage.settings)
        self._n = 0

    def once(self) -> float:
        """Return the seconds of one round."""
        before = self._seq()
        self._n += 1
        self._stage.version(self._tenant, "s", f"The limit is {self._n}.")
        since = time.perf_counter()
        self._wake(self._tenant)
        while self._seq() == before:
            require(time.perf_counter() - since < _LIMIT, "the status was not stored")
            time.sleep(_POLL)
        return time.perf_counter() - since

    def _seq(self) -> int:
        with self._stage.driver.session() as session:
            found = session.run(_HEAD, tenant=self._tenant, id=self._answer_id).single(strict=True)
        return int(found["seq"])
