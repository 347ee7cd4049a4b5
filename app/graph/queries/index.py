"""Queries of the index of chunks: ``cypher/index``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.queries.job import TenantRow
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class IndexRow:
    """By what a tenant's chunks were made; after ``failures`` it rests until ``paused_until``.

    ``mine`` tells whether the caller has the lease.
    """

    made_by: str | None
    failures: int
    paused_until: int
    mine: bool


@dataclass(frozen=True, slots=True)
class MarkedUpTo:
    """The last source that was marked; ``None`` where there was none."""

    source_id: str | None


@dataclass(frozen=True, slots=True)
class WaitingSource:
    """A source that waits to be indexed, and the seq that it has."""

    source_key: str
    tiles_seq: int


@dataclass(frozen=True, slots=True)
class Unchunked:
    """A version that is to be cut."""

    source_key: str
    source_id: str
    tx: int
    text: str


@dataclass(frozen=True, slots=True)
class TextDigest:
    """The digest of a text."""

    text_sha256: str


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A version that gets new chunks, and how many it had."""

    source_key: str
    tx: int
    held: int


@dataclass(frozen=True, slots=True)
class DroppedCount:
    """How many versions lost their chunks."""

    dropped: int


@dataclass(frozen=True, slots=True)
class DoneCount:
    """How many sources wait no more."""

    done: int


@dataclass(frozen=True, slots=True)
class LagRow:
    """How many sources wait, since when (µs), and how the index stands."""

    sources: int
    since: int | None
    made_by: str | None
    failures: int
    paused_until: int | None


@dataclass(frozen=True, slots=True)
class WaitingCount:
    """Versions that are to be cut, and chunks that there are."""

    versions: int
    chunks: int


INDEX_TENANTS = Query("index/read_tenants", TenantRow)
OPEN_INDEX = Query("index/open_index", IndexRow)
CLOSE_INDEX = Query("index/close_index", Nothing)
NOTE_INDEX = Query("index/note_index", Nothing)
MARK_SOURCES = Query("index/mark_sources", MarkedUpTo)
READ_WAITING = Query("index/read_waiting", WaitingSource)
READ_UNCHUNKED = Query("index/read_unchunked", Unchunked)
READ_EMBEDDED = Query("index/read_embedded", TextDigest)
UNLINK_CHUNKS = Query("index/unlink_chunks", Unlinked)
LINK_CHUNKS = Query("index/link_chunks", Nothing)
DROP_LOST = Query("index/drop_lost", DroppedCount)
DROP_ORPHANS = Query("index/drop_orphans", Nothing)
CLEAR_WAITING = Query("index/clear_waiting", DoneCount)
READ_LAG = Query("index/read_lag", LagRow)
COUNT_WAITING = Query("index/count_waiting", WaitingCount)
