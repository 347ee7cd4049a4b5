"""A graph against its model: every tile and as-of read, every answer, and what the audits tell."""

import itertools
import random
from typing import Any

from app.core.instants import FOREVER
from app.core.values import clarification_key, source_key
from app.graph.queries import ingest as q
from tests.builders import World
from tests.model.seen import Seen, claims, winner
from tests.model.tenant import Answer, Tenant

AS_OF = 3  # as-of reads of a source through the store; the tiles are compared everywhere


def compare_sources(model: Tenant, seen: Seen, world: World) -> None:
    """Compare versions, changes, and who won at every edge as recorded after every change."""
    for source_id, source in model.sources.items():
        held, competing = seen.versions(source_id)
        assert held == set(source.ledger.held), source_id
        assert competing == {h.tx for h in source.ledger.held if source.ledger.competes(h)}
        tiles = seen.tiles(source_id)
        points = source.ledger.boundaries()
        points = sorted({*points, *(e for t in tiles for e in (t.start, t.end) if e < FOREVER)})
        asked = list(itertools.product(source.past, points))
        for (known_at, then), at in asked:
            assert winner(tiles, at, known_at) == then.winner(at), (source_id, at, known_at)
        for (known_at, then), at in random.Random(0).sample(asked, min(AS_OF, len(asked))):
            key = source_key(world.tenant, source_id)
            rows = world.store.read(
                q.READ_WINNER_KNOWN_AT, source_key=key, at=at, known_at=known_at
            )
            assert [row.tx for row in rows] == [tx for tx in [then.winner(at)] if tx is not None]
        assert seen.changes(source_key(world.tenant, source_id)) == [
            vars(change) for change in source.changes
        ]
    for name, question in model.clarifications.items():
        assert seen.changes(clarification_key(world.tenant, name)) == [
            vars(change) for change in question.changes
        ]


def compare_answers(model: Tenant, seen: Seen, ids: list[str]) -> None:
    """Compare every answer: head, all versions, what it watches, fires, and number of checks."""
    for answer, answer_id in zip(model.answers, ids, strict=True):
        found = seen.answer(answer_id)
        assert _told(found) == _wanted(model, answer), answer_id


def compare_listed(model: Tenant, world: World, ids: list[str]) -> None:
    """Compare which answers are listed with which status, now and as of when one last changed."""
    changed = sorted({v.recorded_at for answer in model.answers for v in answer.versions})
    for at in (None, *changed[-2:]):
        told = {row.answer_id: row.status for row in world.listed(at=at).answers}
        stood = zip(ids, (_status(answer, at) for answer in model.answers), strict=True)
        assert told == {answer_id: status for answer_id, status in stood if status is not None}, at


def _status(answer: Answer, at: int | None) -> str | None:
    """What an answer's status was at an instant, ``None`` where it was not live."""
    if answer.deleted_at is not None and (at is None or answer.deleted_at <= at):
        return None
    stood = [v.status for v in answer.versions if at is None or v.recorded_at <= at]
    return stood[-1] if stood else None


def compare_due(model: Tenant, seen: Seen, ids: list[str], nth: int) -> None:
    """Compare when an answer that was just checked is due, and when it may change by itself.

    By the design it may expire at each edge of a tile, also of two that one version wins: never
    later than by the model, and at an edge. The model goes on with what it was told.
    """
    answer = model.answers[nth]
    at = model.instant(answer, answer.checked_at or 0)
    tiles = [t for s in model.unpinned(answer) for t in seen.tiles(s) if t.stands]
    edges = {edge for t in tiles for edge in (t.start, t.end) if at < edge < FOREVER}
    told = seen.answer(ids[nth])["head"]
    expires_at = told.get("expires_at")
    assert expires_at == min(edges, default=None)
    assert answer.expires_at is None or expires_at is not None
    assert answer.expires_at is None or expires_at <= answer.expires_at
    answer.expires_at = expires_at
    aged = (answer.checked_at or 0) + model.max_age
    answer.due_at = aged if expires_at is None else min(aged, expires_at)
    assert told.get("recheck_due_at") == answer.due_at


def _told(found: dict[str, Any]) -> dict[str, Any]:
    head = found["head"]
    return {
        "status": head["status"],
        "claims": claims(head["claims_json"]),
        "claim_states": head["claim_states"],
        "covered": head.get("checked_seqs"),
        "checked_at": head.get("checked_at"),
        "due_at": head.get("recheck_due_at"),
        "expires_at": head.get("expires_at"),
        "deleted_at": head.get("deleted_at"),
        "targets": found["targets"],
        "fires": sorted(map(tuple, found["fires"])),
        "checks": len(found["checks"]),
        "versions": [
            (held["why"], held["recorded_at"], held["status"], claims(held["claims_json"]))
            for held in (each["held"] for each in found["versions"])
        ],
        "winners": [list(map(tuple, each["winners"])) for each in found["versions"]],
    }


def _wanted(model: Tenant, answer: Answer) -> dict[str, Any]:
    newest = answer.newest
    live = answer.deleted_at is None
    return {
        "status": newest.status,
        "claims": newest.claims,
        "claim_states": [claim.state for claim in newest.claims],
        "covered": None if answer.covered is None else list(answer.covered),
        "checked_at": answer.checked_at,
        "due_at": answer.due_at,
        "expires_at": answer.expires_at,
        "deleted_at": answer.deleted_at,
        "targets": model.targets(answer) if live else [],
        "fires": sorted(answer.fires),
        "checks": answer.checks,
        "versions": [(v.why, v.recorded_at, v.status, v.claims) for v in answer.versions],
        "winners": [
            sorted(
                {
                    (idx, why.source_id, why.winning)
                    for idx, claim in enumerate(version.claims)
                    for why in claim.causes
                    if why.winning is not None
                }
            )
            if version.why == "check"
            else []
            for version in answer.versions
        ],
    }
