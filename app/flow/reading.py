"""Reading for a check: heads and seqs first, then tiles and clarifications in later statements."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.core import claims_json
from app.core.check import Reading, facts
from app.core.rules import Citation, Claim, ClarificationPhase, Pending
from app.core.states import AnswerState
from app.core.values import clarification_key, derived_id, source_key
from app.graph.queries import recheck as q
from app.ports import Run


@dataclass(frozen=True, slots=True)
class Head:
    """A live answer's head with the seqs of its watch targets, in watch order; times in µs."""

    answer_id: str
    seq: int
    state: AnswerState
    changed_at: int
    checked_at: int | None
    checked_seqs: tuple[int, ...] | None
    targets: tuple[tuple[str, str], ...]
    seqs: tuple[int, ...]
    newest_tx: int
    checked_through: int | None
    failures: int
    boundary: int | None = None
    expires_at: int | None = None

    @property
    def watches_clarifications(self) -> bool:
        """Whether a claim was pending on any when the trace was made."""
        return any(kind == "clarification" for kind, _ in self.targets)

    def instant(self, now: int) -> int:
        """The instant of "now" for this answer: a lagging clock never judges before the write."""
        return max(now, self.newest_tx)


def read_heads(run: Run, tenant: str, ids: Sequence[str]) -> list[Head]:
    """Read the heads of the live ones of ``ids``, ascending by id."""
    rows = run(q.READ_HEADS, tenant=tenant, ids=sorted(ids))
    return [_head(row) for row in rows]


def read_answers(run: Run, tenant: str, heads: Sequence[Head], now: int) -> list[Reading]:
    """Read what rules 1 to 3 need, after the heads' seqs were read."""
    instants = [{"answer_id": head.answer_id, "at": head.instant(now)} for head in heads]
    claims = {head.answer_id: facts(head.state) for head in heads}
    for lost in run(q.READ_LOSSES, tenant=tenant, instants=instants):
        for each in lost.cited:
            _add(claims, each["answer_id"], each["idx"], lost=(_citation(lost, each),))
    asked = [head.answer_id for head in heads if head.watches_clarifications]
    for pending in run(q.READ_PENDING, tenant=tenant, ids=asked) if asked else []:
        _add(claims, pending.answer_id, pending.idx, pending=(_pending(pending),))
    for caveat in run(q.READ_CAVEATS, tenant=tenant, instants=instants):
        _add(claims, caveat.answer_id, caveat.idx, caveats=(caveat.caveat,))
    return [
        Reading(
            head.answer_id, head.state, tuple(claims[head.answer_id].values()), _fires(tenant, head)
        )
        for head in heads
    ]


def read_boundaries(run: Run, tenant: str, heads: Sequence[Head], now: int) -> list[Head]:
    """Return the heads, each with the moment at which the clock alone may next change it (µs).

    ``boundary`` is that moment as it is now, ``expires_at`` as the last check noted it.
    """
    instants = [{"answer_id": head.answer_id, "at": head.instant(now)} for head in heads]
    rows = run(q.READ_BOUNDARIES, tenant=tenant, instants=instants)
    moments = {row.answer_id: (row.boundary, row.expires_at) for row in rows}
    return [_bounded(head, *moments.get(head.answer_id, (None, None))) for head in heads]


def _bounded(head: Head, boundary: int | None, expires_at: int | None) -> Head:
    return replace(head, boundary=boundary, expires_at=expires_at)


def _head(row: q.HeadRow) -> Head:
    return Head(
        answer_id=row.answer_id,
        seq=row.seq,
        state=claims_json.answer_state(row.status, row.severity, row.claims_json, row.caveats),
        changed_at=row.changed_at,
        checked_at=row.checked_at,
        checked_seqs=None if row.checked_seqs is None else tuple(row.checked_seqs),
        targets=tuple(_target(target) for target in row.targets),
        seqs=tuple(target["seq"] for target in row.targets),
        newest_tx=0 if row.newest_tx is None else row.newest_tx,
        checked_through=row.checked_through,
        failures=row.failures,
    )


def _target(target: dict[str, Any]) -> tuple[str, str]:
    if target["clarification_id"] is not None:
        return "clarification", target["clarification_id"]
    return "source", target["source_id"]


def _add(
    claims: dict[str, dict[int, Claim]],
    answer_id: str,
    idx: int,
    *,
    lost: tuple[Citation, ...] = (),
    pending: tuple[Pending, ...] = (),
    caveats: tuple[str, ...] = (),
) -> None:
    claim = claims[answer_id][idx]
    claims[answer_id][idx] = replace(
        claim,
        lost=claim.lost + lost,
        pending=claim.pending + pending,
        caveats=claim.caveats + caveats,
    )


def _citation(row: q.LossRow, cited: dict[str, Any]) -> Citation:
    return Citation(
        source_id=row.source_id,
        cited_tx=row.cited_tx,
        start=cited["start"],
        end=cited["end"],
        at=row.at,
        tombstoned=row.tombstoned,
        cited_from=row.cited_from,
        cited_to=row.cited_to,
        cited_competes=row.cited_competes,
        winning_tx=row.winning_tx,
        winning_from=row.winning_from,
        winning_corrects=row.winning_corrects,
        overridden=row.overridden,
        blank_ends=row.blank_ends,
    )


def _pending(row: q.PendingRow) -> Pending:
    return Pending(row.clarification_id, row.source_id, ClarificationPhase(row.state), row.bound_tx)


def _fires(tenant: str, head: Head) -> dict[tuple[str, str], str]:
    """Return the fire of the newest change of each target that moved since the last check."""
    if head.checked_seqs is None:
        return {}
    moved = zip(head.targets, head.seqs, head.checked_seqs, strict=True)
    return {
        target: fire_id(tenant, target, seq, head.answer_id)
        for target, seq, covered in moved
        if seq > covered
    }


def fire_id(tenant: str, target: tuple[str, str], seq: int, answer_id: str) -> str:
    """Return the id of the fire for one change of a watch target and one answer."""
    kind, name = target
    key = source_key(tenant, name) if kind == "source" else clarification_key(tenant, name)
    return f"{derived_id('change', key, seq)}/{answer_id}"
