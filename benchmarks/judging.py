"""Judging every answer of a tenant, and what a sweep confirms, against the bare counts."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from app.core.instants import DAY
from benchmarks import corpus, postgres
from benchmarks.stage import Stage, require
from benchmarks.timing import STATEMENTS, Measure, interleaved, median, seconds

_BARE = """
MATCH (a:SAVED_ANSWER)-[:PINS]->(:Trace)-[:MAKES]->(:Claim)-[:CITES]->(v:SourceVersion)
WHERE a.tenant = $tenant
MATCH (v)<-[w:WINS]-(:Source)
RETURN count(*) AS links
"""


def measured(stage: Stage, *, rounds: int) -> Iterator[Measure]:
    """Yield the measures of judging and of confirming."""
    size, driver = stage.size, stage.driver
    at = corpus.instants(size)

    def bare() -> None:
        [record] = driver.execute_query(_BARE, tenant=corpus.TENANT).records
        require(record["links"] == size.citations, f"{record['links']} links")

    def judge() -> None:
        text = STATEMENTS["recheck/read_losses"].text
        lost = driver.execute_query(text, tenant=corpus.TENANT, instants=at).records
        require(lost == [], f"{len(lost)} citations lost")

    took = interleaved({"bare": bare, "judge": judge}, rounds=rounds, warm=2)
    low, high = median(took["bare"]) * 1e3, median(took["judge"]) * 1e3
    yield Measure("judging all answers ÷ the bare count over the same links", low, high, "ms", 2.0)
    yield from _beside_postgres(stage, judge, rounds)
    yield from _confirming(stage, rounds)


def _beside_postgres(stage: Stage, judge: Callable[[], None], rounds: int) -> Iterator[Measure]:
    """Yield the same judgement in PostgreSQL, where it is installed: both ran in turn."""
    programs = postgres.found()
    if programs is None:
        sys.stderr.write("no PostgreSQL server here (Debian: apt-get install postgresql)\n")
        return
    with postgres.running(programs, stage.size) as server:
        pairs = [(server.judge(), seconds(judge)) for _ in range(rounds + 1)][1:]
    low, high = (median(each) * 1e3 for each in zip(*pairs, strict=True))
    name = "judging all answers ÷ the same in PostgreSQL, as psql times it"
    yield Measure(name, low, high, "ms", 1.5)


def _confirming(stage: Stage, rounds: int) -> Iterator[Measure]:
    """Yield the rate of one statement over all answers, and of one a worker, by both at once."""
    size = stage.size
    ids = sorted(f"a{n}" for n in range(size.answers))
    halves = [ids[: size.answers // 2], ids[size.answers // 2 :]]
    text = STATEMENTS["recheck/confirm_unmoved"].text

    def confirm(some: list[str]) -> None:
        given = {"ids": some, "token": "bench", "now": corpus.now(size), "max_age": 7 * DAY}
        [found] = stage.driver.execute_query(text, given, tenant=corpus.TENANT).records
        confirmed = len(found["answer_ids"])
        require(confirmed == len(some), f"{confirmed} confirmed")

    with ThreadPoolExecutor(len(halves)) as workers:
        took = interleaved(
            {"one": lambda: confirm(ids), "both": lambda: list(workers.map(confirm, halves))},
            rounds=max(3, rounds // 3),
            warm=2,
        )
    for name, who in (("one", "one locking statement"), ("both", "two at once, one a worker")):
        yield Measure(
            f"unchanged re-checks: answers a second, by {who}",
            10_000,
            size.answers / median(took[name]),
            "answers/s",
            1.0,
            at_most=False,
        )
