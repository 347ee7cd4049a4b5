"""Planning beside growing memory: questions over a thousand chunks, ten thousand, and more."""

import random
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.config import ModelsSettings
from app.core.retrieval import scope_key
from app.core.values import source_key
from app.flow.plan import Asked, Planner
from benchmarks.corpus import START
from benchmarks.stage import Stage, require
from benchmarks.timing import Measure, median, seconds

_DIMENSIONS: Final = 256
_BATCH: Final = 1_000
_WORDS: Final = tuple(f"word{n}" for n in range(2_000))
_CHUNKS: Final = """
UNWIND $rows AS r
CREATE (s:Source {tenant: $tenant, source_id: r.id, source_key: r.key, tiles_seq: 1, last_tx: $at,
                  last_recorded_at: $at})
CREATE (v:SourceVersion {
  tenant: $tenant, source_key: r.key, source_id: r.id, tx: $at, valid_from: $at,
  valid_to: 9223372036854775807, valid_from_rule: 'stated', text: r.text, text_sha256: r.id,
  ends: false, override_only: false, competes: true, observed_at: $at, observed_from: $at,
  recorded_at: $at, chunked_by: 'bench'})-[:VERSION_OF]->(s)
CREATE (s)-[:WINS {source_key: r.key, valid_from: $at, valid_to: 9223372036854775807,
                   tx_from: $at}]->(v)
CREATE (v)-[:HOLDS {start: 0, end: size(r.text)}]->(:Chunk {
  tenant: $tenant, source_key: r.key, text_sha256: r.id, scope_key: r.scope, text: r.text,
  embedding: r.embedding, vector: r.vector, embedded_by: 'bench'})
"""


class _Drawn:
    """An embedder that costs nothing: vectors drawn by the text."""

    configured = True
    name = "bench"
    dimensions = _DIMENSIONS
    metered = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 a text, always the same."""
        drawn = [np.random.default_rng(zlib.crc32(text.encode())) for text in texts]
        rows = np.stack([rng.normal(size=_DIMENSIONS) for rng in drawn])
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(unit, dtype=np.float32)


def measured(stage: Stage, *, rounds: int, small: bool) -> Iterator[Measure]:
    """Yield the time of a plan over some chunks, and over each ten times more."""
    sizes = (100, 1_000) if small else (1_000, 10_000, 100_000)
    tenant = stage.tenant("plan")
    planner = Planner(stage.store, stage.clock, _Drawn(), ModelsSettings())
    rng = random.Random(11)
    built = 0
    took: list[float] = []
    for size in sizes:
        _build(stage, tenant, built, size, rng)
        built = size
        times: list[float] = []
        for _ in range(rounds + 1):
            asked = Asked(tenant, " ".join(rng.sample(_WORDS, 4)), START + 1)
            times.append(seconds(partial(_plan, planner, asked)))
        took.append(median(times[1:]) * 1e3)
    for size, milliseconds in zip(sizes[1:], took[1:], strict=True):
        name = f"a plan over {size:,} chunks ÷ over {sizes[0]:,}"
        yield Measure(name, took[0], milliseconds, "ms", 5.0, note="hybrid, four words")


def _plan(planner: Planner, asked: Asked) -> None:
    require(bool(planner.plan(asked).passages), "nothing was found")


def _build(stage: Stage, tenant: str, first: int, until: int, rng: random.Random) -> None:
    embedder = _Drawn()
    for begin in range(first, until, _BATCH):
        texts = {f"c{n}": _text(n, rng) for n in range(begin, min(begin + _BATCH, until))}
        vectors = embedder.embed(list(texts.values()))
        rows = [
            {
                "id": name,
                "key": source_key(tenant, name),
                "text": text,
                "scope": scope_key(tenant, name),
                "embedding": vector.tolist(),
                "vector": vector.tobytes(),
            }
            for (name, text), vector in zip(texts.items(), vectors, strict=True)
        ]
        stage.driver.execute_query(_CHUNKS, rows=rows, tenant=tenant, at=START)


def _text(n: int, rng: random.Random) -> str:
    """Return about a hundred words; common ones are common."""
    drawn = (_WORDS[int(len(_WORDS) * rng.random() ** 3)] for _ in range(100))
    return f"Chunk {n}: {' '.join(drawn)}."
