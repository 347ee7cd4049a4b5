"""Queries of the step ``plan``: ``cypher/plan``."""

from dataclasses import dataclass
from typing import Any

from app.graph.catalog import Query


@dataclass(frozen=True, slots=True)
class Hits:
    """Places of winning chunks, the best first, as ``[source_id, tx, start, end]``; hits in all."""

    seen: int
    places: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Places:
    """Places of winning chunks, the nearest first, as ``[source_id, tx, start, end]``."""

    places: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Places as above, each with its vector as float32 in little-endian bytes."""

    last: str | None
    places: list[list[Any]]
    vectors: list[bytes]


@dataclass(frozen=True, slots=True)
class ChunkCount:
    """How many chunks there are, up to what was asked."""

    chunks: int


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A chunk's text by its coordinates."""

    source_id: str
    tx: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source that exists."""

    source_id: str


FIND_WORDS = Query("plan/find_words", Hits)
FIND_VECTORS = Query("plan/find_vectors", Places)
COUNT_CHUNKS = Query("plan/count_chunks", ChunkCount)
RANK_TENANT = Query("plan/rank_tenant", Vectors)
RANK_SOURCES = Query("plan/rank_sources", Vectors)
READ_PASSAGES = Query("plan/read_passages", PassageRow)
READ_KNOWN_SOURCES = Query("plan/read_known_sources", KnownSource)
