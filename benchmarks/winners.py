"""Who wins, now and as of the past: db hits and time, at one, a thousand and all versions."""

import random
from collections.abc import Iterator

from app.core.instants import HOUR
from benchmarks.corpus import START, key
from benchmarks.stage import Stage
from benchmarks.timing import STATEMENTS, Measure, hits, hits_of, interleaved, median

_NOW = "ingest/read_winner"
_THEN = "ingest/read_winner_known_at"
_SHUFFLED = 200
_READS = 50
_OVERLAP = """
MATCH (:Source {source_key: $source_key})-[w:WINS|WON]->()
WHERE w.valid_from <= $at AND w.valid_to > $at
RETURN count(w) AS tiles
"""


def measured(stage: Stage, *, rounds: int) -> Iterator[Measure]:
    """Yield hits now and as of the past, their ratio in time, and hits in a shuffled history."""
    for source_id in ("one", "thousand", "longest"):
        at = START + HOUR
        now = hits_of(stage.driver, _NOW, source_key=key(source_id), at=at)
        then = hits_of(stage.driver, _THEN, source_key=key(source_id), at=at, known_at=at)
        yield Measure(f"winner now, history '{source_id}': db hits", 1, now, "hits", 8)
        yield Measure(f"winner as of the past, '{source_id}': db hits", 1, then, "hits", 10)
    yield _as_of_in_time(stage, rounds)
    yield _shuffled(stage)


def _as_of_in_time(stage: Stage, rounds: int) -> Measure:
    rng = random.Random(7)
    instants = [START + rng.randrange(stage.size.longest) * HOUR for _ in range(_READS)]
    longest = key("longest")

    def now() -> None:
        with stage.driver.session() as session:
            for at in instants:
                session.run(STATEMENTS[_NOW].text, source_key=longest, at=at).consume()

    def then() -> None:
        with stage.driver.session() as session:
            for at in instants:
                text = STATEMENTS[_THEN].text
                session.run(text, source_key=longest, at=at, known_at=at).consume()

    took = interleaved({"now": now, "then": then}, rounds=rounds, warm=3)
    now_ms, then_ms = (median(took[name]) / _READS * 1e3 for name in ("now", "then"))
    return Measure("winner as of the past ÷ now, history 'longest'", now_ms, then_ms, "ms", 1.3)


def _shuffled(stage: Stage) -> Measure:
    tenant = stage.tenant("shuffled")
    order = list(range(_SHUFFLED))
    random.Random(3).shuffle(order)
    for n in order:
        tx = START + n * HOUR
        stage.version(tenant, "s", f"It is {n}.", tx=tx, validFrom=tx)
    source_key = key("s", tenant)
    worst = 0.0
    tiles = found = 0
    for n in range(0, _SHUFFLED, 10):
        at = START + n * HOUR
        known = START + (n + _SHUFFLED // 2) % _SHUFFLED * HOUR
        text = STATEMENTS[_THEN].text
        here = hits(stage.driver, text, source_key=source_key, at=at, known_at=known)
        [row] = stage.driver.execute_query(_OVERLAP, source_key=source_key, at=at).records
        if here / row["tiles"] > worst:
            worst, tiles, found = here / row["tiles"], row["tiles"], here
    name = "as of the past in a shuffled history: db hits ÷ overlapping tiles, worst"
    return Measure(name, tiles, found, "hits", 4.0)
