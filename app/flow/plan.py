"""Plan: which winning spans a question is answered from, by words and by meaning, fused.

Only what wins at the plan's instant is found: an index of chunks knows all that wins at any time,
so the hits are filtered, and more are fetched until enough remain.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from app.config import ModelsSettings
from app.core.errors import InvalidInput, Problem, Unavailable
from app.core.generation import Passage
from app.core.retrieval import Place, fused, sought
from app.core.values import source_key
from app.flow.ledger import Ledger
from app.graph.queries import plan as q
from app.ports import Clock, Embedder, Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST: Final = 12
"""Passages of a plan."""

_EACH: Final = 50
_FETCHES: Final = (50, 200, 800, 3_200, 12_800)
_NEAREST: Final = (200, 800, 3_200)
_EXACT: Final = 2_000
_PAGE: Final = 2_000
_MODEL_FAILED: Final = frozenset({"MODEL_UNAVAILABLE", "MODEL_REFUSED"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of one tenant's memory: a question, an instant (µs), and in which sources."""

    tenant: str
    question: str
    at: int
    source_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The passages to answer from, the best first, and what finding them used.

    ``embedding_model`` is ``None`` where words alone were sought, ``warning`` says why.
    """

    passages: tuple[Passage, ...]
    embedding_model: str | None
    embeddings: int
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Planner:
    """Finds passages. Without an embedder by words alone."""

    store: Store
    clock: Clock
    embedder: Embedder
    models: ModelsSettings

    def plan(self, asked: Asked) -> Plan:
        """Return the plan: over the same store the same question and instant give the same.

        Where the embedding model fails, words alone are sought, with a warning. Raises
        ``InvalidInput`` ``SOURCE_UNKNOWN`` for sources that the tenant does not have, and
        ``LimitReached`` ``COST_CAP_EXCEEDED``.
        """
        self._require_known(asked)
        rankings = [self._by_words(asked)]
        warning = model = None
        if self.embedder.configured:
            try:
                rankings.append(self._by_meaning(asked))
                model = self.embedder.name
            except Unavailable as failed:
                if failed.code not in _MODEL_FAILED:
                    raise
                warning = f"found by words alone: {failed.code}"
        passages = self._passages(asked.tenant, fused(rankings, MOST))
        return Plan(passages, model, int(model is not None), warning)

    def _require_known(self, asked: Asked) -> None:
        if not asked.source_ids:
            return
        rows = self.store.read(q.READ_KNOWN_SOURCES, source_keys=_keys(asked))
        known = {row.source_id for row in rows}
        problems = [
            Problem(f"sourceIds[{nth}]", f"no source {each!r} in this tenant")
            for nth, each in enumerate(asked.source_ids)
            if each not in known
        ]
        if problems:
            raise InvalidInput("SOURCE_UNKNOWN", problems)

    def _by_words(self, asked: Asked) -> list[Place]:
        """Rank by words; more hits are fetched until enough of them win, or there are no more."""
        query = sought(asked.question, asked.tenant, asked.source_ids)
        found: list[Place] = []
        for fetch in _FETCHES if query else ():
            [hits] = self.store.read(
                q.FIND_WORDS, tenant=asked.tenant, words=query, fetch=fetch, at=asked.at
            )
            found = _places(hits.places)
            if len(found) >= _EACH or hits.seen < fetch:
                break
        return found[:_EACH]

    def _by_meaning(self, asked: Asked) -> list[Place]:
        """Rank by nearness: exactly where there is little, else by the index that tenants share."""
        ledger = Ledger(self.store, self.clock, self.models, asked.tenant)
        vector = ledger.embed(self.embedder, [asked.question])[0]
        if not vector.any():
            return []
        if not asked.source_ids:
            [held] = self.store.read(q.COUNT_CHUNKS, tenant=asked.tenant, most=_EXACT)
            for fetch in _NEAREST if held.chunks == _EXACT else ():
                near = self._nearest(asked, vector, fetch)
                if len(near) >= _EACH:
                    return near[:_EACH]
        return _ranked(self._all_vectors(asked), vector)

    def _nearest(self, asked: Asked, vector: "NDArray[np.float32]", fetch: int) -> list[Place]:
        [near] = self.store.read(
            q.FIND_VECTORS,
            tenant=asked.tenant,
            vector=vector.tolist(),
            embedded_by=self.embedder.name,
            fetch=fetch,
            at=asked.at,
        )
        return _places(near.places)

    def _all_vectors(self, asked: Asked) -> Iterator[q.Vectors]:
        """Yield what wins in the sources that are named, or in all of the tenant, page by page."""
        embedder = self.embedder.name
        if asked.source_ids:
            keys = _keys(asked)
            yield from self.store.read(
                q.RANK_SOURCES, source_keys=keys, embedded_by=embedder, at=asked.at
            )
            return
        after: str | None = ""
        while after is not None:
            [page] = self.store.read(
                q.RANK_TENANT,
                tenant=asked.tenant,
                after=after,
                page=_PAGE,
                embedded_by=embedder,
                at=asked.at,
            )
            yield page
            after = page.last

    def _passages(self, tenant: str, places: Sequence[Place]) -> tuple[Passage, ...]:
        rows = [
            {
                "source_key": source_key(tenant, each.source_id),
                "tx": each.tx,
                "start": each.start,
                "end": each.end,
            }
            for each in places
        ]
        found = {
            Place(row.source_id, row.tx, row.start, row.end): row.text
            for row in self.store.read(q.READ_PASSAGES, places=rows)
        }
        held = [place for place in places if place in found]  # dropped meanwhile: not found
        return tuple(
            Passage(nth, place.source_id, place.tx, place.start, place.end, found[place])
            for nth, place in enumerate(held, start=1)
        )


def _ranked(pages: Iterable[q.Vectors], vector: "NDArray[np.float32]") -> list[Place]:
    """Rank places exactly by nearness, a page at once; ties in the order of coordinates."""
    import numpy as np  # noqa: PLC0415 — only where there is a model

    best: list[tuple[float, Place]] = []
    for page in pages:
        if page.vectors:
            rows = np.frombuffer(b"".join(page.vectors), dtype="<f4").reshape(-1, len(vector))
            scores = np.round(rows @ vector, 5).tolist()
            best += zip(scores, _places(page.places), strict=True)
            best = sorted(best, key=lambda each: (-each[0], each[1]))[:_EACH]
    return [place for _, place in best]


def _keys(asked: Asked) -> list[str]:
    return [source_key(asked.tenant, each) for each in sorted(set(asked.source_ids))]


def _places(found: Sequence[Sequence[Any]]) -> list[Place]:
    return [Place(*place) for place in found]
