"""Diff: two answers of one chain side by side: text, claims and evidence (seed §3.6)."""

from collections.abc import Sequence

from app.core.difference import paired, word_diff
from app.core.errors import Invalid, NotFound
from app.core.values import source_key
from app.flow.answers import show_answer
from app.graph.queries import refresh as r
from app.graph.queries import verify as q
from app.payloads.answers import AnswerView
from app.payloads.refresh import ClaimDiff, DiffView, EvidenceView, PieceView
from app.ports import Store

Texts = dict[tuple[str, int], str]


def diff_answers(store: Store, tenant: str, old_id: str, new_id: str) -> DiffView:
    """Compare an answer with one that came to supersede it.

    Raises ``NotFound`` ``ANSWER_NOT_FOUND``, ``Invalid`` ``NOT_ONE_CHAIN`` where the new one did
    not come of the old.
    """
    names = {"old_answer_id": old_id, "new_answer_id": new_id}
    links = store.read(r.READ_LINK, tenant=tenant, **names)
    if not links:
        raise NotFound("ANSWER_NOT_FOUND", "no such answers in this tenant", field="answerId")
    if not links[0].linked:
        raise Invalid(
            "NOT_ONE_CHAIN",
            f"{new_id} does not supersede {old_id}",
            hint="Name the older answer first; `telha audit run supersession_chain` shows a chain.",
        )
    old, new = show_answer(store, tenant, old_id), show_answer(store, tenant, new_id)
    before, after = _claims(store, tenant, old), _claims(store, tenant, new)
    texts = _texts(store, tenant, [*before, *after])
    pairs = paired([row.text or "" for row in before], [row.text or "" for row in after])
    return DiffView(
        **names,
        draft=_pieces(old.draft, new.draft),
        claims=tuple(
            _claim(None if i is None else before[i], None if j is None else after[j], texts)
            for i, j in pairs
        ),
    )


def _claims(store: Store, tenant: str, answer: AnswerView) -> list[q.ClaimRow]:
    rows = [{"answer_id": answer.answer_id, "idx": claim.idx} for claim in answer.claims]
    return store.read(q.READ_CLAIMS, tenant=tenant, rows=rows)


def _texts(store: Store, tenant: str, claims: Sequence[q.ClaimRow]) -> Texts:
    cited = sorted({(cite["source_id"], cite["tx"]) for row in claims for cite in row.cites})
    coordinates = [{"source_key": source_key(tenant, name), "tx": tx} for name, tx in cited]
    rows = store.read(q.READ_TEXTS, coordinates=coordinates)
    return {(row.source_id, row.tx): row.text or "" for row in rows}


def _claim(old: q.ClaimRow | None, new: q.ClaimRow | None, texts: Texts) -> ClaimDiff:
    return ClaimDiff(
        old_idx=old.idx if old else None,
        new_idx=new.idx if new else None,
        text=_pieces((old.text if old else None) or "", (new.text if new else None) or ""),
        old_evidence=_evidence(old, texts),
        new_evidence=_evidence(new, texts),
    )


def _evidence(row: q.ClaimRow | None, texts: Texts) -> tuple[EvidenceView, ...]:
    return tuple(
        EvidenceView(
            source_id=cite["source_id"],
            tx=cite["tx"],
            start=cite["start"],
            end=cite["end"],
            quote=texts[cite["source_id"], cite["tx"]][cite["start"] : cite["end"]],
        )
        for cite in (row.cites if row else ())
    )


def _pieces(old: str, new: str) -> tuple[PieceView, ...]:
    return tuple(PieceView(op=piece.op, text=piece.text) for piece in word_diff(old, new))
