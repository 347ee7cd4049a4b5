"""What each audit query must tell of a tenant, by its model: rows as maps, paths left out."""

from collections.abc import Iterable
from typing import Any

from app.core.instants import FOREVER
from tests.flow.ledger import Held
from tests.model.judge import folded
from tests.model.tenant import Answer, Tenant

Row = dict[str, Any]
STATUSES = ("invalidated", "conflicted", "pending", "stale", "partially_stale", "current")


def citations_of_answer(model: Tenant, answer: Answer, now: int) -> list[Row]:
    rows: list[Row] = []
    for idx, made in enumerate(model.traces[answer.trace].claims):
        at = now if made.pinned is None else made.pinned
        shared = {"claim": idx, "state": answer.newest.claims[idx].state, "at": at}
        if not made.cites:
            rows.append(shared | _cited(None, None, None, None))
        for source_id, tx in sorted(made.cites):
            ledger = model.sources[source_id].ledger
            cited, winning = ledger.at(tx), ledger.winner(at)
            rows.append(shared | _cited(source_id, cited, winning, _since(model, source_id, at)))
    return rows


def answers_touched_by_source(model: Tenant, ids: list[str], source_id: str) -> list[Row]:
    rows = []
    for answer, answer_id in _live(model, ids):
        if source_id not in model.cited(answer):
            continue
        made = model.traces[answer.trace].claims
        citing = [idx for idx, claim in enumerate(made) if source_id in {s for s, _ in claim.cites}]
        states = [claim.state for claim in answer.newest.claims]
        newly = [idx for idx in citing if states[idx] == "ok"]
        would_be = folded(["affected" if i in newly else s for i, s in enumerate(states)])
        rows.append(
            {
                "answer_id": answer_id,
                "status": answer.newest.status,
                "would_be": would_be,
                "newly_affected": newly,
                "citing_claims": citing,
                "pinned_claims": [idx for idx in citing if made[idx].pinned is not None],
                "claims": len(made),
                "checked_at": answer.checked_at,
            }
        )
    return sorted(rows, key=_worst_first)


def history_of_answer(answer: Answer) -> list[Row]:
    rows = [
        {
            "seq": seq,
            "recorded_at": version.recorded_at,
            "why": version.why,
            "status": version.status,
            "claim_states": [claim.state for claim in version.claims],
        }
        for seq, version in enumerate(answer.versions, 1)
    ]
    return rows[::-1]


def why_rechecked(model: Tenant, answer: Answer) -> list[Row]:
    """The rows of kind ``change``, and how many checks there were."""
    trace = model.traces[answer.trace]
    rows: list[Row] = [
        {
            "at": change.recorded_at,
            "what": change.what,
            "target": name,
            "seq": seq,
            "tx": change.tx,
            "outcome": _outcome(answer, place, name, seq, still_open=change.open),
        }
        for place, name in enumerate(model.targets(answer))
        for seq, change in enumerate(model.target(name).changes, 1)
        if change.recorded_at >= trace.recorded_at
    ]
    return rows


def answers_due(model: Tenant, ids: list[str], start: int, until: int) -> list[Row]:
    rows = []
    for answer, answer_id in _live(model, ids):
        due_at, expires_at = answer.due_at, answer.expires_at
        due = due_at if due_at is not None and start <= due_at < until else None
        current = answer.newest.status == "current"
        soon = expires_at is not None and current and start <= expires_at < until
        expires = expires_at if soon else None
        if due is not None or expires is not None:
            rows.append({"answer_id": answer_id, "due_at": due, "expires_at": expires})
    return sorted(rows, key=lambda row: (row["due_at"] or row["expires_at"], row["answer_id"]))


def sources_with_most_dependants(model: Tenant, ids: list[str]) -> list[Row]:
    rows = []
    for source_id, source in model.sources.items():
        citing = [a for a, _ in _live(model, ids) if source_id in model.cited(a)]
        if citing:
            rows.append(
                {
                    "source_id": source_id,
                    "answers": len(citing),
                    "not_current": sum(a.newest.status != "current" for a in citing),
                    "changes": source.seq,
                    "versions": len(source.ledger.held),
                    "last_tx": source.ledger.last,
                }
            )
    return sorted(rows, key=lambda row: (-row["answers"], row["source_id"]))


def versions_that_never_won(model: Tenant) -> list[Row]:
    rows = []
    for source_id, source in sorted(model.sources.items()):
        won = {then.winner(at) for _, then in source.past for at in then.boundaries()}
        for held in sorted(source.ledger.held, key=lambda h: h.tx):
            if held.text is not None and held.tx not in won:
                row = {
                    "source_id": source_id,
                    "tx": held.tx,
                    "valid_from": held.start,
                    "valid_to": None if held.end == FOREVER else held.end,
                    "winning_tx": source.ledger.winner(held.start),
                    "stands": not held.gone,
                }
                rows.append(row)
    return rows


def overrides_with_newer(model: Tenant, ids: list[str]) -> list[Row]:
    rows: list[Row] = []
    for source_id, source in sorted(model.sources.items()):
        ledger = source.ledger
        for bound in filter(ledger.holds, ledger.bound):
            newer = [
                held
                for held in ledger.held
                if ledger.competes(held)
                and held.tx > bound.tx
                and held.start < bound.end
                and held.end > bound.start
            ]
            if newer:
                cite = (source_id, bound.bound_tx)
                rows.append(
                    {
                        "source_id": source_id,
                        "override_tx": bound.tx,
                        "bound_tx": bound.bound_tx,
                        "valid_from": bound.start,
                        "newer": len(newer),
                        "newest_tx": max(held.tx for held in newer),
                        "answers": sum(
                            any(cite in claim.cites for claim in model.traces[a.trace].claims)
                            for a, _ in _live(model, ids)
                        ),
                    }
                )
    return rows


def _live(model: Tenant, ids: list[str]) -> Iterable[tuple[Answer, str]]:
    return [each for each in zip(model.answers, ids, strict=True) if each[0].deleted_at is None]


def _cited(
    source_id: str | None, cited: Held | None, winning: int | None, since: int | None
) -> Row:
    return {
        "source_id": source_id,
        "cited_tx": cited and cited.tx,
        "wins": cited and (not cited.gone and winning == cited.tx),
        "winning_tx": winning,
        "wins_since": since,
    }


def _since(model: Tenant, source_id: str, at: int) -> int | None:
    """Since when it is recorded that who wins at an instant does."""
    source = model.sources[source_id]
    standing = source.ledger.winner(at)
    if standing is None:
        return None
    since = None
    for recorded_at, then in reversed(source.past):
        if then.winner(at) != standing:
            break
        since = recorded_at
    return since


def _outcome(answer: Answer, place: int, name: str, seq: int, *, still_open: bool) -> str:
    if (name, seq) in answer.fires:
        return "checked"
    if answer.covered is not None and answer.covered[place] >= seq:
        return "covered"
    if answer.deleted_at is not None:
        return "deleted"
    return "still open" if still_open else "waiting"


def _worst_first(row: Row) -> tuple[int, int, str]:
    return STATUSES.index(row["would_be"]), -len(row["newly_affected"]), row["answer_id"]
