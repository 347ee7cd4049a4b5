"""Making: what answers and retrievals have in common: parts, plan, how a trace says it was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.config import ModelsSettings
from app.core.chunks import CHUNKER
from app.core.generation import Judge
from app.core.retrieval import RETRIEVER
from app.core.values import source_key
from app.flow.index import Indexer
from app.flow.plan import Asked, Plan, Planner
from app.graph.queries import generate as q
from app.graph.queries.trace import READ_CITED
from app.payloads.base import Payload
from app.payloads.generate import AskIn, CitedView, Cost, Lag
from app.ports import Clock, Embedder, Generator, Store, Tx

_BEHIND: Final = "the index is behind: what changed in {} sources may not be found yet"
_STALE: Final = "the index is being made anew: not all may be found yet"


class Kept(Payload):
    """The trace that a request led to; the first result of a request holds no text."""

    trace_id: str
    warnings: tuple[str, ...] = ()
    created: bool = True


@dataclass(frozen=True, slots=True)
class Maker:
    """Answers questions from what wins. A re-check has no such thing (seed §3.8)."""

    store: Store
    clock: Clock
    real: Clock
    embedder: Embedder
    generator: Generator
    judge: Judge
    models: ModelsSettings

    def indexer(self, tenant: str) -> Indexer:
        """Return what makes the tenant's chunks."""
        return Indexer(self.store, self.clock, self.real, self.embedder, self.models, tenant)


@dataclass(frozen=True, slots=True)
class Stored:
    """A trace as it is stored, with the words at its evidence."""

    trace_id: str
    row: q.MadeTrace
    texts: dict[tuple[str, int], str]

    def cited(self, places: Sequence[tuple[str, int, int, int]]) -> tuple[CitedView, ...]:
        """Return evidence coordinates with their words."""
        return tuple(
            CitedView(
                source_id=source_id,
                source_version_tx=version_tx,
                start=start,
                end=end,
                quote=self.texts.get((source_id, version_tx), "")[start:end],
            )
            for source_id, version_tx, start, end in places
        )

    @property
    def cost(self) -> Cost:
        """What it cost."""
        return Cost(
            tokens_in=self.row.tokens_in or 0,
            tokens_out=self.row.tokens_out or 0,
            embeddings=self.row.embeddings or 0,
            cost_micros=self.row.cost_micros or 0,
        )


def planned(maker: Maker, ask: AskIn, now: int) -> Plan:
    """Plan at the valid time that is asked for, else at ``now`` (µs)."""
    at = now if ask.valid_time is None else ask.valid_time
    asked = Asked(ask.tenant, ask.question, at, ask.source_ids)
    return Planner(maker.store, maker.clock, maker.embedder, maker.models).plan(asked)


def note_made(
    tx: Tx, ask: AskIn, trace_id: str, plan: Plan, cost: Cost, generator: Generator | None = None
) -> None:
    """Note on a trace how it was made; without a generator it was only retrieved."""
    tx.run(
        q.NOTE_MADE,
        tenant=ask.tenant,
        trace_id=trace_id,
        source_ids=list(ask.source_ids),
        model=generator.name if generator else None,
        prompt_version=generator.prompt_version if generator else None,
        retriever_version=RETRIEVER,
        chunker_version=CHUNKER,
        embedding_model=plan.embedding_model,
        tokens_in=cost.tokens_in,
        tokens_out=cost.tokens_out,
        embeddings=cost.embeddings,
        cost_micros=cost.cost_micros,
    )


def read_stored(store: Store, tenant: str, trace_id: str) -> Stored:
    """Read a trace back, with the words at its evidence."""
    [row] = store.read(q.READ_TRACE, tenant=tenant, trace_id=trace_id)
    cited = {(place[0], place[1]) for claim in row.claims for place in claim["evidence"]}
    coordinates = [
        {"source_key": source_key(tenant, source_id), "tx": version_tx}
        for source_id, version_tx in sorted(cited)
    ]
    rows = store.read(READ_CITED, coordinates=coordinates) if coordinates else []
    return Stored(trace_id, row, {(each.source_id, each.tx): each.text or "" for each in rows})


def warnings_of(plan: Plan, lag: Lag) -> tuple[str, ...]:
    """Return what whoever reads an answer should know of how it was found."""
    told = [plan.warning] if plan.warning else []
    if lag.stale:
        told.append(_STALE)
    elif lag.sources:
        told.append(_BEHIND.format(lag.sources))
    return tuple(told)
