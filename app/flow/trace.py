"""Trace: a generation made elsewhere is checked against the stored texts and kept (seed §3.2)."""

from collections.abc import Iterator, Sequence
from typing import Final

from app.core.errors import Conflict, InvalidInput, Problem
from app.core.instants import HOUR
from app.core.quotes import same_quote
from app.core.values import derived_id, sha256, source_key
from app.flow.requests import once
from app.graph.queries import trace as q
from app.payloads.trace import ClaimIn, EvidenceIn, TraceAdded, TraceIn
from app.ports import Clock, Store, Tx

Texts = dict[tuple[str, int], str | None]

_MEANS_NOW: Final = (
    "timeBasis.validTime lies within an hour of txTime but differs, so every claim is pinned to"
    " that instant; give them equal, or leave validTime out, if now was meant"
)


def add_trace(store: Store, clock: Clock, trace: TraceIn) -> TraceAdded:
    """Store a trace with its claims, evidence and pending clarifications.

    Refused whole with ``InvalidInput`` ``TRACE_INVALID``, all problems listed at once, where a
    coordinate does not resolve, a span is out of range, a quote is not the text at its span, an
    index is used twice, or a clarification is unknown or about a source that the claim does not
    cite. ``Conflict`` ``TRACE_CONFLICT`` where the id is taken by another body.
    """
    now = clock.now()
    digest = _digest(trace)
    trace_id = trace.trace_id or _derived(trace, digest)

    def work(tx: Tx) -> TraceAdded:
        return once(
            tx,
            "add_trace",
            trace,
            TraceAdded,
            lambda: _add(tx, trace, trace_id, digest, now),
            now=now,
        )

    return store.write(work)


def keep_trace(tx: Tx, trace: TraceIn, *, now: int) -> TraceAdded:
    """Store a trace in a transaction that its maker has open; raises as ``add_trace`` does."""
    digest = _digest(trace)
    return _add(tx, trace, trace.trace_id or _derived(trace, digest), digest, now)


def _add(tx: Tx, trace: TraceIn, trace_id: str, digest: str, now: int) -> TraceAdded:
    [claimed] = tx.run(q.CLAIM_TRACE, tenant=trace.tenant, trace_id=trace_id, body_digest=digest)
    if claimed.body_digest != digest:
        raise Conflict(
            "TRACE_CONFLICT",
            f"trace {trace_id!r} is stored with another body; nothing was changed",
            field="traceId",
        )
    if not claimed.taken:
        texts = _cited_texts(tx, trace)
        problems = [*_problems(trace, texts), *_clarification_problems(tx, trace)]
        if problems:
            raise InvalidInput("TRACE_INVALID", problems)
        _write(tx, trace, trace_id, texts, now)
    return TraceAdded(
        trace_id=trace_id,
        kind=trace.kind,
        claims=len(trace.claims),
        created=not claimed.taken,
        warnings=tuple(_warnings(trace)),
    )


def _digest(trace: TraceIn) -> str:
    return sha256(trace.model_dump_json(by_alias=True, exclude={"request_id", "tenant"}))


def _derived(trace: TraceIn, digest: str) -> str:
    return derived_id("trace", trace.tenant, digest)


def _write(tx: Tx, trace: TraceIn, trace_id: str, texts: Texts, now: int) -> None:
    key = {"tenant": trace.tenant, "trace_id": trace_id}
    tx.run(
        q.CREATE_TRACE,
        **key,
        kind=trace.kind,
        question=trace.question,
        draft=trace.draft,
        valid_time=trace.time_basis.valid_time,
        tx_time=trace.time_basis.tx_time,
        recorded_at=now,
        claims=[_claim_row(trace, claim) for claim in trace.claims],
    )
    evidence = [
        _evidence_row(trace.tenant, claim.idx, cited, texts)
        for claim in trace.claims
        for cited in claim.evidence
    ]
    if evidence:
        tx.run(q.LINK_EVIDENCE, **key, evidence=evidence)
    pending = [
        {"idx": claim.idx, "clarification_id": clarification_id}
        for claim in trace.claims
        for clarification_id in claim.pending_clarifications
    ]
    if pending:
        tx.run(q.LINK_PENDING, **key, pending=pending)


def _claim_row(trace: TraceIn, claim: ClaimIn) -> dict[str, object]:
    basis = trace.time_basis
    pinned = basis.valid_time if basis.valid_time != basis.tx_time else None
    return {
        "idx": claim.idx,
        "text": claim.text,
        "verdict": claim.verdict,
        "valid_time": claim.valid_time,
        "pinned_at": claim.valid_time if claim.valid_time is not None else pinned,
    }


def _evidence_row(tenant: str, idx: int, cited: EvidenceIn, texts: Texts) -> dict[str, object]:
    text = texts[cited.source_id, cited.source_version_tx] or ""
    return {
        "idx": idx,
        "source_key": source_key(tenant, cited.source_id),
        "tx": cited.source_version_tx,
        "start": cited.start,
        "end": cited.end,
        "quote_sha256": sha256(text[cited.start : cited.end]),
    }


def _cited_texts(tx: Tx, trace: TraceIn) -> Texts:
    coordinates = {
        (cited.source_id, cited.source_version_tx)
        for claim in trace.claims
        for cited in claim.evidence
    }
    rows = tx.run(
        q.READ_CITED,
        coordinates=[
            {"source_key": source_key(trace.tenant, source_id), "tx": version_tx}
            for source_id, version_tx in sorted(coordinates)
        ],
    )
    return {(row.source_id, row.tx): None if row.ends else row.text for row in rows}


def _problems(trace: TraceIn, texts: Texts) -> Iterator[Problem]:
    seen: set[int] = set()
    for place, claim in enumerate(trace.claims):
        if claim.idx in seen:
            yield Problem(f"claims[{place}].idx", f"index {claim.idx} is used twice")
        seen.add(claim.idx)
        for nth, cited in enumerate(claim.evidence):
            yield from _evidence_problems(f"claims[{place}].evidence[{nth}]", cited, texts)


def _evidence_problems(field: str, cited: EvidenceIn, texts: Texts) -> Iterator[Problem]:
    coordinate = (cited.source_id, cited.source_version_tx)
    if coordinate not in texts:
        yield Problem(field, f"no version {coordinate[1]} of source {coordinate[0]!r}")
        return
    text = texts[coordinate]
    if text is None:
        yield Problem(field, f"version {coordinate[1]} is an end, which says nothing to cite")
    elif not cited.start < cited.end <= len(text):
        yield Problem(
            field, f"[{cited.start}, {cited.end}) is no span of a text of {len(text)} code points"
        )
    elif cited.quote is not None and not same_quote(cited.quote, text[cited.start : cited.end]):
        yield Problem(f"{field}.quote", "is not the text at that span")


def _clarification_problems(tx: Tx, trace: TraceIn) -> list[Problem]:
    ids = sorted({each for claim in trace.claims for each in claim.pending_clarifications})
    if not ids:
        return []
    rows = tx.run(q.READ_CLARIFICATIONS, tenant=trace.tenant, clarification_ids=ids)
    about = {row.clarification_id: row.source_id for row in rows}
    return [
        problem
        for place, claim in enumerate(trace.claims)
        for problem in _pending_problems(f"claims[{place}].pendingClarifications", claim, about)
    ]


def _pending_problems(field: str, claim: ClaimIn, about: dict[str, str]) -> Sequence[Problem]:
    cited = {each.source_id for each in claim.evidence}
    problems = []
    for nth, clarification_id in enumerate(claim.pending_clarifications):
        if clarification_id not in about:
            problems.append(Problem(f"{field}[{nth}]", f"no clarification {clarification_id!r}"))
        elif about[clarification_id] not in cited:
            source_id = about[clarification_id]
            problems.append(
                Problem(f"{field}[{nth}]", f"is about {source_id!r}, which the claim does not cite")
            )
    return problems


def _warnings(trace: TraceIn) -> Iterator[str]:
    basis = trace.time_basis
    if basis.valid_time is not None and 0 < abs(basis.valid_time - basis.tx_time) < HOUR:
        yield _MEANS_NOW
