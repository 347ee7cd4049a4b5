"""Index: chunks of every version that wins somewhere, embedded once for each content.

A write lets its source wait (``unindexed_since``), in its own transaction; a run takes waiting
sources, whatever moved on them, and lets those wait on that moved meanwhile. So no message, no
cursor and no order matters, and running twice is running once.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from app.config import ModelsSettings
from app.core.chunks import CHUNKER, chunks
from app.core.errors import LimitReached, Unavailable
from app.core.instants import MINUTE, SECOND
from app.core.retrieval import scope_key
from app.core.values import sha256
from app.flow.ledger import Ledger
from app.graph.queries import index as q
from app.payloads.generate import Indexed, IndexStatus, Lag
from app.ports import Clock, Embedder, Store, Tx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = dict[str, NDArray[np.float32]]

_SOURCES: Final = 5  # a worker's slice ends between pages, and checks wait for it
_VERSIONS: Final = 20
_TEXTS: Final = 128
_SPARE: Final = 30.0
_MARKED: Final = 1_000
_NO_MODEL: Final = "none"
_FIRST_REST: Final = 10 * SECOND
_LONGEST_REST: Final = 10 * MINUTE
_MODEL_FAILED: Final = frozenset({"MODEL_UNAVAILABLE", "MODEL_REFUSED", "COST_CAP_EXCEEDED"})

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Indexer:
    """Makes the chunks of one tenant. ``real`` times its rests, as leases are."""

    store: Store
    clock: Clock
    real: Clock
    embedder: Embedder
    models: ModelsSettings
    tenant: str

    @property
    def made_by(self) -> str:
        """By which rules and model chunks are made; what was made otherwise is made anew."""
        return _made_by(self.embedder.name if self.embedder.configured else _NO_MODEL)

    def run(
        self,
        *,
        anew: bool = False,
        go_on: Callable[[], bool] = lambda: True,
        progress: Progress | None = None,
    ) -> Indexed:
        """Index what waits, page by page while ``go_on``; ``anew`` lets all sources wait first.

        Where the embedding model fails or the cap is reached, texts are found by words meanwhile,
        their sources wait on, and ``failed`` says why.
        """
        token = str(uuid.uuid4())
        index = self._leased(token)
        done = _Counts()
        if not index.mine:
            return self._told(done, busy=True)
        try:
            if index.made_by != self.made_by or anew:
                self._mark_all(index)
            failed = self._run(token, done, go_on, progress)
            self._rested(index, failed)
        finally:
            self.store.write(lambda tx: tx.run(q.CLOSE_INDEX, tenant=self.tenant, token=token))
        return self._told(done, failed=failed)

    def _run(
        self,
        token: str,
        done: "_Counts",
        go_on: Callable[[], bool],
        progress: Progress | None,
    ) -> str | None:
        total = self.store.read(q.READ_LAG, tenant=self.tenant)[0].sources
        while go_on():
            page = self.store.read(q.READ_WAITING, tenant=self.tenant, page=_SOURCES)
            if not page:
                break
            self._leased(token)
            if (failed := self._index(page, token, done)) is not None:
                return failed
            done.sources += len(page)
            if progress is not None:
                progress(done.sources, max(total, done.sources))
        return None

    def _told(self, done: "_Counts", *, failed: str | None = None, busy: bool = False) -> Indexed:
        return Indexed(
            versions=done.versions,
            embedded=done.embedded,
            dropped=done.dropped,
            waiting=self.store.read(q.READ_LAG, tenant=self.tenant)[0].sources,
            failed=failed,
            busy=busy,
        )

    def wanted(self) -> bool:
        """Tell whether a run has something to do, and no model failed a moment ago."""
        [row] = self.store.read(q.READ_LAG, tenant=self.tenant)
        behind = row.sources > 0 or row.made_by != self.made_by
        return behind and (row.paused_until or 0) <= self.real.now()

    def status(self) -> IndexStatus:
        """Return how the index stands, all that waits counted."""
        [row] = self.store.read(q.READ_LAG, tenant=self.tenant)
        [count] = self.store.read(q.COUNT_WAITING, tenant=self.tenant, made_by=self.made_by)
        lag = self._lag(row).model_copy(update={"versions": count.versions})
        return IndexStatus(
            made_by=row.made_by,
            configured=self.made_by,
            lag=lag,
            chunks=count.chunks,
            failures=row.failures,
            paused_until=row.paused_until or None,
        )

    def lag(self) -> Lag:
        """Return how far the index is behind."""
        [row] = self.store.read(q.READ_LAG, tenant=self.tenant)
        return self._lag(row)

    def _lag(self, row: q.LagRow) -> Lag:
        oldest = None if row.since is None else max(0, self.clock.now() - row.since)
        stale = row.made_by != self.made_by
        return Lag(sources=row.sources, oldest=oldest, stale=stale)

    def _leased(self, token: str) -> q.IndexRow:
        """Lease the index, or renew the lease, for longer than a call of the model may take."""
        now = self.real.now()
        longest = self.models.attempts * self.models.timeout_seconds + _SPARE
        [row] = self.store.write(
            lambda tx: tx.run(
                q.OPEN_INDEX,
                tenant=self.tenant,
                token=token,
                now=now,
                until=now + int(longest * SECOND),
            )
        )
        return row

    def _mark_all(self, index: q.IndexRow) -> None:
        """Let every source wait: the index is new, or its chunks were made otherwise."""
        after: str | None = ""
        while after is not None:
            after = self._marked(after)
        self._noted(index.failures, index.paused_until)

    def _marked(self, after: str) -> str | None:
        [last] = self.store.write(
            lambda tx: tx.run(q.MARK_SOURCES, tenant=self.tenant, after=after, page=_MARKED)
        )
        return last.source_id

    def _rested(self, index: q.IndexRow, failed: str | None) -> None:
        """Rest after a failure, twice as long each time; forget failures after a success."""
        if failed is not None:
            rest = min(_FIRST_REST << min(index.failures, 6), _LONGEST_REST)
            self._noted(index.failures + 1, self.real.now() + rest)
        elif index.failures:
            self._noted(0, 0)

    def _noted(self, failures: int, paused_until: int) -> None:
        def work(tx: Tx) -> None:
            tx.run(
                q.NOTE_INDEX,
                tenant=self.tenant,
                made_by=self.made_by,
                failures=failures,
                paused_until=paused_until,
            )

        self.store.write(work)

    def _index(self, page: Sequence[q.WaitingSource], token: str, done: "_Counts") -> str | None:
        """Index a page of sources whose seqs were read before anything else of them."""
        rows = [
            {"source_key": source.source_key, "tiles_seq": source.tiles_seq}
            for source in sorted(page, key=lambda each: each.source_key)
        ]
        keys = [source.source_key for source in sorted(page, key=lambda each: each.source_key)]
        failed = self._cut(keys, token, done)
        self._drop_lost(keys, done)
        if failed is None:
            token = str(uuid.uuid4())
            self.store.write(lambda tx: tx.run(q.CLEAR_WAITING, rows=rows, token=token))
        return failed

    def _cut(self, keys: Sequence[str], token: str, done: "_Counts") -> str | None:
        """Cut and embed what is to be; where no model answers, cut it to be found by words."""
        try:
            embed = partial(self._vectors, token=token) if self.embedder.configured else None
            self._make(keys, (self.made_by,), done, embed)
        except (Unavailable, LimitReached) as refused:
            if refused.code not in _MODEL_FAILED:
                raise
            self._make(keys, (_made_by(_NO_MODEL), self.made_by), done)
            return refused.code
        return None

    def _make(
        self,
        keys: Sequence[str],
        made_by: Sequence[str],
        done: "_Counts",
        embed: "Callable[[Sequence[_Piece]], Vectors] | None" = None,
    ) -> None:
        """Make chunks by the first of ``made_by``, for versions that have them by none of these."""
        while versions := self.store.read(
            q.READ_UNCHUNKED, source_keys=keys, made_by=made_by, page=_VERSIONS
        ):
            pieces = [piece for version in versions for piece in _pieces(self.tenant, version)]
            vectors: Vectors = embed(pieces) if embed else {}
            write = partial(
                self._write, versions=versions, pieces=pieces, vectors=vectors, made_by=made_by
            )
            done.versions += self.store.write(write)
            done.embedded += len(vectors)

    def _vectors(self, pieces: Sequence["_Piece"], *, token: str) -> "Vectors":
        """Embed each content that the tenant has not embedded yet, by its digest."""
        texts = {piece.digest: piece.text for piece in pieces}
        known = self.store.read(
            q.READ_EMBEDDED,
            tenant=self.tenant,
            digests=sorted(texts),
            embedded_by=self.embedder.name,
        )
        new = sorted(texts.keys() - {row.text_sha256 for row in known})
        ledger = Ledger(self.store, self.clock, self.models, self.tenant)
        vectors: Vectors = {}
        for first in range(0, len(new), _TEXTS):
            batch = new[first : first + _TEXTS]
            self._leased(token)
            rows = ledger.embed(self.embedder, [texts[digest] for digest in batch])
            vectors |= {digest: row for digest, row in zip(batch, rows, strict=True) if row.any()}
        return vectors

    def _write(
        self,
        tx: Tx,
        versions: Sequence[q.Unchunked],
        pieces: Sequence["_Piece"],
        vectors: "Vectors",
        made_by: Sequence[str],
    ) -> int:
        """Tie versions to their chunks; one that another run made meanwhile is left out."""
        rows = tx.run(
            q.UNLINK_CHUNKS,
            tenant=self.tenant,
            versions=[{"source_key": each.source_key, "tx": each.tx} for each in versions],
            made_by=made_by,
            token=str(uuid.uuid4()),
        )
        mine = {(row.source_key, row.tx) for row in rows}
        chunks = [
            piece.row | _embedding(vectors.get(piece.digest))
            for piece in pieces
            if (piece.row["source_key"], piece.row["tx"]) in mine
        ]
        if chunks:
            embedder = self.embedder.name
            tx.run(q.LINK_CHUNKS, tenant=self.tenant, chunks=chunks, embedded_by=embedder)
        if any(row.held for row in rows):
            tx.run(q.DROP_ORPHANS, source_keys=sorted({row.source_key for row in rows}))
        return len(mine)

    def _drop_lost(self, keys: Sequence[str], done: "_Counts") -> None:
        while dropped := self.store.write(lambda tx: self._drop(tx, keys)):
            done.dropped += dropped

    def _drop(self, tx: Tx, keys: Sequence[str]) -> int:
        token = str(uuid.uuid4())
        [row] = tx.run(q.DROP_LOST, tenant=self.tenant, source_keys=keys, page=_MARKED, token=token)
        if row.dropped:
            tx.run(q.DROP_ORPHANS, source_keys=keys)
        return row.dropped


@dataclass(slots=True)
class _Counts:
    sources: int = 0
    versions: int = 0
    embedded: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk of a version: its text, the digest of that, and the row that links it."""

    digest: str
    text: str
    row: dict[str, object]


def tenants_waiting(store: Store) -> list[str]:
    """Return the tenants with sources that wait to be indexed."""
    return sorted(row.tenant for row in store.read(q.INDEX_TENANTS))


def _pieces(tenant: str, version: q.Unchunked) -> list[_Piece]:
    scope = scope_key(tenant, version.source_id)
    pieces = []
    for span in chunks(version.text):
        text = version.text[span.start : span.end]
        digest = sha256(text)
        row = {
            "source_key": version.source_key,
            "tx": version.tx,
            "start": span.start,
            "end": span.end,
            "text": text,
            "text_sha256": digest,
            "scope_key": scope,
        }
        pieces.append(_Piece(digest, text, row))
    return pieces


def _embedding(vector: "NDArray[np.float32] | None") -> dict[str, object]:
    """Return a vector for the index, and as the bytes that an exact ranking reads."""
    if vector is None:
        return {"embedding": None, "vector": None}
    return {"embedding": vector.tolist(), "vector": vector.astype("<f4").tobytes()}


def _made_by(model: str) -> str:
    return f"{CHUNKER} {model}"
