"""Who wins, now and as of the past: db hits and time, at one, a thousand and all versions."""

import random
from collections.abc import Iterator

from app.core.instants import HOUR
from benchmarks.corpus import START, key
from benchmarks.stage import Stage
from benchmarks.timing import STATEMENTS, Measure, hits_of, interleaved, median

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
    lengths = {"one": 1, "thousand": min(1_000, stage.size.longest), "longest": stage.size.longest}
    for source_id, versions in lengths.items():
        at, known_at = START + (versions - 1) * HOUR, START + versions // 2 * HOUR
        now = hits_of(stage.driver, _NOW, source_key=key(source_id), at=at)
        then = hits_of(stage.driver, _THEN, source_key=key(source_id), at=at, known_at=known_at)
        yield Measure(f"winner now, history '{source_id}': db hits", 1, now, "hits", 8)
        yield Measure(f"winner as of the past, '{source_id}': db hits", 1, then, "hits", 10)
    yield _as_of_in_time(stage, rounds)
    yield _shuffled(stage)


def _as_of_in_time(stage: Stage, rounds: int) -> Measure:
    rng = random.Random(7)
    instants = [_drawn(rng, stage.size.longest) for _ in range(_READS)]
    longest = key("longest")

    def now() -> None:
        with stage.driver.session() as session:
            for at, _ in instants:
                session.run(STATEMENTS[_NOW].text, source_key=longest, at=at).consume()

    def then() -> None:
        with stage.driver.session() as session:
            for at, known_at in instants:
                text = STATEMENTS[_THEN].text
                session.run(text, source_key=longest, at=at, known_at=known_at).consume()

    took = interleaved({"now": now, "then": then}, rounds=rounds, warm=3)
    now_ms, then_ms = (median(took[name]) / _READS * 1e3 for name in ("now", "then"))
    return Measure("winner as of the past ÷ now, history 'longest'", now_ms, then_ms, "ms", 1.3)


def _drawn(rng: random.Random, versions: int) -> tuple[int, int]:
    """Return an instant, and an earlier one by which it was to be known."""
    n = rng.randrange(1, versions)
    return START + n * HOUR, START + rng.randrange(n) * HOUR


def _shuffled(stage: Stage) -> Measure:
    tenant = stage.tenant("shuffled")
    rng = random.Random(3)
    order = list(range(_SHUFFLED))
    rng.shuffle(order)
    recorded = []
    for n in order:
        tx = START + n * HOUR
        stage.version(tenant, "s", f"It is {n}.", tx=tx, validFrom=tx)
        recorded.append(stage.clock.now())
    source_key = key("s", tenant)
    tiles = found = 0
    for n in range(0, _SHUFFLED, 4):
        given = {"source_key": source_key, "at": START + n * HOUR}
        found += hits_of(stage.driver, _THEN, known_at=rng.choice(recorded), **given)
        [row] = stage.driver.execute_query(_OVERLAP, given).records
        tiles += row["tiles"]
    name = "as of the past in a shuffled history: db hits ÷ tiles over the instant, of 50 reads"
    return Measure(name, tiles, found, "hits", 4.0)
