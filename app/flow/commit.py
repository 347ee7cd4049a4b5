"""Commit of checks: version, event window, fires and audit in one transaction, if nothing moved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.core import claims_json
from app.core.check import Decision
from app.core.due import due
from app.core.values import derived_id, source_key
from app.flow.jobs import Lease
from app.flow.outcome import outcome
from app.flow.reading import Head
from app.flow.save import AnswerEvent, log_answer_event
from app.graph.queries import recheck as q
from app.payloads.answers import Checked
from app.ports import Tx


@dataclass(frozen=True, slots=True)
class Commit:
    """What a check wants to write, and the lease to hold while it does; times in µs.

    The heads come with their boundaries, which were read after the seqs, as the tiles were.
    ``keep`` writes what a verifier found, which is true whether or not its answer moved meanwhile.
    """

    tenant: str
    heads: tuple[Head, ...]
    decisions: tuple[Decision, ...]
    now: int
    max_age: int
    debounce: int
    lease: Lease | None
    keep: Callable[[Tx], None]


def commit_checks(tx: Tx, commit: Commit) -> list[Checked]:
    """Write the checks of all answers of which nothing moved; return their outcomes.

    Locks the answers by id, then the job (DESIGN §5), which it finishes where that leaves nothing
    of it: a job and its last check are one commit. Verdicts come last, since many answers share
    one. Raises ``LeaseLost``.
    """
    token = derived_id("lock", commit.tenant, commit.now)
    rows = [_lock_row(head) for head in commit.heads]
    [locked] = tx.run(q.LOCK_UNMOVED, tenant=commit.tenant, rows=rows, token=token)
    unmoved = set(locked.answer_ids)
    if commit.lease is not None:
        commit.lease.secure(tx, last=len(unmoved) == len(commit.heads), now=commit.now)
    heads = [head for head in commit.heads if head.answer_id in unmoved]
    decisions = [each for each in commit.decisions if each.answer_id in unmoved]
    if heads:
        _write(tx, commit, heads, decisions)
    commit.keep(tx)
    return [
        Checked(
            answer_id=each.answer_id,
            status=each.state.status,
            changed=each.changed,
            transition=each.transition is not None,
        )
        for each in decisions
    ]


def _write(tx: Tx, commit: Commit, heads: Sequence[Head], decisions: Sequence[Decision]) -> None:
    tenant = commit.tenant
    by_id = {head.answer_id: head for head in heads}
    changed = [each for each in decisions if each.changed]
    notes = [
        _note_row(by_id[each.answer_id], each, commit) for each in decisions if not each.changed
    ]
    versions = [_version_row(by_id[each.answer_id], each, commit) for each in changed]
    if notes:
        tx.run(q.NOTE_CHECKED, tenant=tenant, rows=notes)
    if versions:
        tx.run(q.APPEND_VERSIONS, tenant=tenant, rows=versions)
    fires = [_fire_row(head) for head in heads if head.checked_seqs not in (None, head.seqs)]
    if fires:
        tx.run(q.WRITE_FIRES, tenant=tenant, rows=fires, recorded_at=commit.now)
    event = AnswerEvent(
        "answer.checked",
        commit.now,
        [each.answer_id for each in decisions],
        [outcome(by_id[each.answer_id], each, commit.now) for each in decisions],
        on=[each.answer_id for each in changed],
        why=None if commit.lease is None else commit.lease.why,
    )
    log_answer_event(tx, tenant, event)


def _lock_row(head: Head) -> dict[str, object]:
    return {
        "answer_id": head.answer_id,
        "seq": head.seq,
        "seqs": list(head.seqs),
        "was_checked_at": -1 if head.checked_at is None else head.checked_at,
    }


def _note_row(head: Head, decision: Decision, commit: Commit) -> dict[str, object]:
    failures = head.failures + 1 if decision.failed else 0
    moments = due(commit.now, max_age=commit.max_age, boundary=head.boundary, failures=failures)
    return {
        "answer_id": head.answer_id,
        "checked_at": commit.now,
        "recheck_due_at": moments.recheck_due_at,
        "expires_at": moments.expires_at,
        "checked_through": head.checked_through,
        "seqs": list(head.seqs),
        "failures": failures,
    }


def _version_row(head: Head, decision: Decision, commit: Commit) -> dict[str, object]:
    state = decision.state
    return _note_row(head, decision, commit) | {
        "seq": head.seq,
        "status": state.status,
        "severity": state.severity,
        "claims_json": claims_json.dumps(state.claims),
        "claim_states": [claim.state for claim in state.claims],
        "caveats": list(state.caveats),
        "recorded_at": max(commit.now, head.changed_at),
        "moved": decision.transition is not None,
        "emit_id": derived_id("emit", head.answer_id, head.seq + 1),
        "window_due_at": commit.now + commit.debounce,
        "first_check": head.checked_at is None,
        "winners": _winners(commit.tenant, decision),
    }


def _winners(tenant: str, decision: Decision) -> list[dict[str, object]]:
    """Return the versions that displaced citations of a claim, once for each claim."""
    named = {
        (claim.idx, cause.source_id, cause.winning_tx)
        for claim in decision.state.claims
        for cause in claim.causes
        if cause.winning_tx is not None
    }
    return [
        {"idx": idx, "source_key": source_key(tenant, source_id), "tx": tx}
        for idx, source_id, tx in sorted(named)
    ]


def _fire_row(head: Head) -> dict[str, object]:
    return {
        "answer_id": head.answer_id,
        "covered": list(head.checked_seqs or ()),
        "seqs": list(head.seqs),
    }
