"""Ledger: what models may use in a day is reserved before a call, and settled after it."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from app.config import ModelsSettings
from app.core.errors import LimitReached, Unavailable
from app.core.instants import SECOND
from app.graph.queries import ledger as q
from app.ports import Clock, Embedder, Store, Tx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_USED: Final = "GENERATOR_UNREADABLE"
"""After it the reservation stays: the model answered, and did not say what that cost."""


@dataclass(frozen=True, slots=True)
class Used:
    """What a call used."""

    tokens: int = 0
    embeddings: int = 0
    cost_micros: int = 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The days of one tenant. What was reserved by a call that never ended stays counted."""

    store: Store
    clock: Clock
    caps: ModelsSettings
    tenant: str

    def embed(self, embedder: Embedder, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Embed under the cap of a metered model; what costs nothing is not in the ledger.

        Raises ``LimitReached`` ``COST_CAP_EXCEEDED`` before the call, or what the embedder raises.
        """
        if not embedder.metered:
            return embedder.embed(texts)
        day = self._reserve(embeddings=len(texts))
        try:
            return embedder.embed(texts)
        except Unavailable:
            self._settle(day, Used(embeddings=-len(texts)))
            raise

    def spend(self, most: int, call: Callable[[], Used]) -> Used:
        """Make a call that may use up to ``most`` tokens, and note what it used.

        Raises ``LimitReached`` ``COST_CAP_EXCEEDED`` before the call, or what the call raises. A
        call of no tokens is not noted.
        """
        if not most:
            return call()
        day = self._reserve(tokens=most)
        try:
            used = call()
        except Unavailable as failed:
            if failed.code != _USED:
                self._settle(day, Used(tokens=-most))
            raise
        self._settle(day, Used(used.tokens - most, used.embeddings, used.cost_micros))
        return used

    def _reserve(self, *, tokens: int = 0, embeddings: int = 0) -> int:
        day = day_of(self.clock.now())

        def work(tx: Tx) -> None:
            rows = tx.run(
                q.RESERVE_SPEND,
                tenant=self.tenant,
                day=day,
                tokens=tokens,
                embeddings=embeddings,
                most_tokens=self.caps.max_tokens_per_day if tokens else _NO_CAP,
                most_embeddings=self.caps.max_embeddings_per_day if embeddings else _NO_CAP,
                token=str(uuid.uuid4()),
            )
            if not rows:
                raise _over(tokens, embeddings, self.caps)

        self.store.write(work)
        return day

    def _settle(self, day: int, more: Used) -> None:
        def work(tx: Tx) -> None:
            tx.run(
                q.SETTLE_SPEND,
                tenant=self.tenant,
                day=day,
                tokens=more.tokens,
                embeddings=more.embeddings,
                cost_micros=more.cost_micros,
                token=str(uuid.uuid4()),
            )

        self.store.write(work)


_NO_CAP: Final = 2**62


def day_of(at: int) -> int:
    """Return the number YYYYMMDD of the day, in UTC, of an instant (µs)."""
    day = datetime.fromtimestamp(at // SECOND, UTC)
    return day.year * 10_000 + day.month * 100 + day.day


def _over(tokens: int, embeddings: int, caps: ModelsSettings) -> LimitReached:
    told = (
        f"{tokens} tokens more would exceed the {caps.max_tokens_per_day} of this tenant's day"
        if tokens
        else f"{embeddings} embeddings more would exceed the {caps.max_embeddings_per_day} of this"
        " tenant's day"
    )
    return LimitReached(
        "COST_CAP_EXCEEDED",
        f"{told}; no model was called, nothing was written",
        hint="Wait for the next day (UTC), or raise models.max_tokens_per_day or"
        " models.max_embeddings_per_day.",
    )
