"""Retrieve: find passages without generating, and keep what was found as a trace of a query."""

from typing import Final

from app.flow.making import Kept, Maker, note_made, planned, read_stored, warnings_of
from app.flow.plan import Plan
from app.flow.requests import first_result, once
from app.flow.trace import keep_trace
from app.payloads.generate import AskIn, Cost, Retrieved
from app.payloads.trace import ClaimIn, EvidenceIn, TimeBasis, TraceIn
from app.ports import Tx

_OPERATION: Final = "retrieve"


def retrieve(maker: Maker, ask: AskIn) -> Retrieved:
    """Find the passages that a question would be answered from; no generator is called.

    The trace cannot be saved as an answer. Raises ``InvalidInput`` ``SOURCE_UNKNOWN``,
    ``LimitReached`` ``COST_CAP_EXCEEDED``.
    """
    first = first_result(maker.store, _OPERATION, ask, Kept)
    if first is not None:
        return _retrieved(maker, ask.tenant, first)
    now = maker.clock.now()
    plan = planned(maker, ask, now)
    lag = maker.indexer(ask.tenant).lag()

    def work(tx: Tx) -> Kept:
        def add() -> Kept:
            added = keep_trace(tx, _trace(ask, plan, now), now=now)
            note_made(tx, ask, added.trace_id, plan, Cost(embeddings=plan.embeddings))
            warnings = (*warnings_of(plan, lag), *added.warnings)
            return Kept(trace_id=added.trace_id, warnings=warnings)

        return once(tx, _OPERATION, ask, Kept, add, now=now)

    return _retrieved(maker, ask.tenant, maker.store.write(work))


def _retrieved(maker: Maker, tenant: str, kept: Kept) -> Retrieved:
    stored = read_stored(maker.store, tenant, kept.trace_id)
    row = stored.row
    return Retrieved(
        trace_id=kept.trace_id,
        question=row.question,
        valid_time=row.valid_time,
        tx_time=row.tx_time,
        source_ids=tuple(row.source_ids),
        passages=tuple(each for claim in row.claims for each in stored.cited(claim["evidence"])),
        retriever_version=row.retriever_version or "",
        chunker_version=row.chunker_version or "",
        embedding_model=row.embedding_model,
        cost=stored.cost,
        lag=maker.indexer(tenant).lag(),
        warnings=kept.warnings,
        created=kept.created,
    )


def _trace(ask: AskIn, plan: Plan, now: int) -> TraceIn:
    return TraceIn(
        tenant=ask.tenant,
        kind="query",
        question=ask.question,
        time_basis=TimeBasis(valid_time=ask.valid_time, tx_time=now),
        claims=tuple(
            ClaimIn(
                idx=idx,
                text=passage.text,
                evidence=(
                    EvidenceIn(
                        source_id=passage.source_id,
                        source_version_tx=passage.tx,
                        start=passage.start,
                        end=passage.end,
                    ),
                ),
            )
            for idx, passage in enumerate(plan.passages)
        ),
    )
