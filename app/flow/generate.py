"""Generate: plan, ask the generator, check every quote, keep the trace with its evidence.

The texts that were found are data: whatever a generator makes of them, a claim is stored as
supported only where its quotes stand in the winning spans that it names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.core.errors import Invalid
from app.core.generation import CheckedClaim, Draft, Evidence, Judgement, checked
from app.flow.ledger import Ledger, Used
from app.flow.making import Kept, Maker, note_made, planned, read_stored, warnings_of
from app.flow.plan import Plan
from app.flow.requests import first_result, once
from app.flow.trace import keep_trace
from app.graph.queries import generate as q
from app.payloads.generate import AnswerClaim, AskIn, Cost, Generated, Lag
from app.payloads.trace import ClaimIn, EvidenceIn, TimeBasis, TraceIn
from app.ports import Store, Tx

NOTHING_FOUND: Final = "Nothing that was found answers this."
_OPERATION: Final = "generate"


@dataclass(frozen=True, slots=True)
class _Made:
    """An answer before it is stored; ``pending`` are open clarifications by source."""

    ask: AskIn
    now: int
    plan: Plan
    claims: tuple[CheckedClaim, ...]
    pending: Mapping[str, Sequence[str]]
    cost: Cost
    lag: Lag


def generate(maker: Maker, ask: AskIn) -> Generated:
    """Answer a question from what wins at its valid time, and store the answer as a trace.

    Raises ``Invalid`` ``GENERATOR_UNCONFIGURED``; ``InvalidInput`` ``SOURCE_UNKNOWN``;
    ``LimitReached`` ``COST_CAP_EXCEEDED`` before the call; ``Unavailable``
    ``GENERATOR_UNAVAILABLE``, ``GENERATOR_REFUSED`` or ``GENERATOR_UNREADABLE``. Then no trace was
    written. With a ``request_id`` a repeat gives the first answer again, and no model is called.
    """
    first = first_result(maker.store, _OPERATION, ask, Kept)
    if first is not None:
        return read_generated(maker, ask.tenant, first)
    if not maker.generator.configured:
        raise Invalid(
            "GENERATOR_UNCONFIGURED",
            "no generator is configured",
            hint="Set models.generator to extractive or openai.",
        )
    now = maker.clock.now()
    plan = planned(maker, ask, now)
    draft, cost = _drafted(maker, ask, plan)
    claims = tuple(checked(each, plan.passages, maker.judge) for each in draft.claims)
    cited = sorted({each.source_id for claim in claims for each in claim.evidence})
    pending = _pending(maker.store, ask.tenant, cited)
    made = _Made(ask, now, plan, claims, pending, cost, maker.indexer(ask.tenant).lag())
    kept = maker.store.write(lambda tx: _kept(tx, maker, made))
    return read_generated(maker, ask.tenant, kept, [each.refused for each in claims])


def read_generated(
    maker: Maker, tenant: str, kept: Kept, refused: Sequence[tuple[str, ...]] = ()
) -> Generated:
    """Return an answer as it is stored. ``refused`` by claim is known to its maker alone."""
    stored = read_stored(maker.store, tenant, kept.trace_id)
    row = stored.row
    told = dict(enumerate(refused)) if kept.created else {}
    return Generated(
        trace_id=kept.trace_id,
        question=row.question,
        draft=row.draft,
        valid_time=row.valid_time,
        tx_time=row.tx_time,
        source_ids=tuple(row.source_ids),
        claims=tuple(
            AnswerClaim(
                idx=claim["idx"],
                text=claim["text"],
                verdict=Judgement(claim["verdict"]),
                evidence=stored.cited(claim["evidence"]),
                refused=told.get(claim["idx"], ()),
                pending_clarifications=tuple(claim["pending"]),
            )
            for claim in row.claims
        ),
        model=row.model or "",
        prompt_version=row.prompt_version or "",
        retriever_version=row.retriever_version or "",
        chunker_version=row.chunker_version or "",
        embedding_model=row.embedding_model,
        cost=stored.cost,
        lag=maker.indexer(tenant).lag(),
        warnings=kept.warnings,
        created=kept.created,
    )


def _drafted(maker: Maker, ask: AskIn, plan: Plan) -> tuple[Draft, Cost]:
    """Ask the generator under the tenant's cap; where nothing was found, nobody is asked."""
    embeddings = Cost(embeddings=plan.embeddings)
    if not plan.passages:
        return Draft(()), embeddings
    drafts: list[Draft] = []
    most = maker.generator.most_tokens(ask.question, plan.passages)

    def call() -> Used:
        draft = maker.generator.generate(ask.question, plan.passages)
        drafts.append(draft)
        tokens = most if draft.tokens is None else draft.tokens
        return Used(tokens, cost_micros=_cost(maker, draft, most).cost_micros)

    Ledger(maker.store, maker.clock, maker.models, ask.tenant).spend(most, call)
    [draft] = drafts
    cost = _cost(maker, draft, most)
    return draft, cost.model_copy(update={"embeddings": plan.embeddings})


def _cost(maker: Maker, draft: Draft, most: int) -> Cost:
    """Return what a draft used; where the model did not tell, all that was reserved."""
    tokens_in, tokens_out = draft.tokens_in, draft.tokens_out
    if tokens_in is None or tokens_out is None:
        tokens_out = min(most, maker.models.max_answer_tokens)
        tokens_in = most - tokens_out
    micros = maker.models.cost_micros(tokens_in, tokens_out)
    return Cost(tokens_in=tokens_in, tokens_out=tokens_out, cost_micros=micros)


def _pending(store: Store, tenant: str, source_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the clarifications that are open about cited sources, by source."""
    found: dict[str, list[str]] = {}
    if source_ids:
        rows = store.read(q.READ_OPEN_CLARIFICATIONS, tenant=tenant, source_ids=source_ids)
        for row in rows:
            found.setdefault(row.source_id, []).append(row.clarification_id)
    return found


def _kept(tx: Tx, maker: Maker, made: _Made) -> Kept:
    ask = made.ask

    def add() -> Kept:
        added = keep_trace(tx, _trace(made), now=made.now)
        note_made(tx, ask, added.trace_id, made.plan, made.cost, maker.generator)
        warnings = (*warnings_of(made.plan, made.lag), *added.warnings)
        return Kept(trace_id=added.trace_id, warnings=warnings)

    return once(tx, _OPERATION, ask, Kept, add, now=made.now)


def _trace(made: _Made) -> TraceIn:
    """Return the trace: the draft is its claims and nothing else, so all of it can be checked."""
    return TraceIn(
        tenant=made.ask.tenant,
        question=made.ask.question,
        draft=" ".join(claim.text for claim in made.claims) or NOTHING_FOUND,
        time_basis=TimeBasis(valid_time=made.ask.valid_time, tx_time=made.now),
        claims=tuple(
            ClaimIn(
                idx=idx,
                text=claim.text,
                verdict=claim.verdict.value,
                evidence=tuple(map(_cited, claim.evidence)),
                pending_clarifications=_pending_on(made, claim),
            )
            for idx, claim in enumerate(made.claims)
        ),
    )


def _cited(evidence: Evidence) -> EvidenceIn:
    return EvidenceIn(
        source_id=evidence.source_id,
        source_version_tx=evidence.tx,
        start=evidence.start,
        end=evidence.end,
        quote=evidence.quote,
    )


def _pending_on(made: _Made, claim: CheckedClaim) -> tuple[str, ...]:
    cited = sorted({each.source_id for each in claim.evidence})
    return tuple(each for source_id in cited for each in made.pending.get(source_id, ()))
