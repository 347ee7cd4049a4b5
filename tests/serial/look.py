"""The last operation of a history: everything that waits is done, then all is looked at."""

from dataclasses import dataclass
from typing import Any

from app.core.instants import FOREVER
from app.core.values import derived_id, source_key
from app.flow.audit import broken_invariants
from app.ports import Audits
from tests.builders import World
from tests.model.seen import Seen, Tile, claims
from tests.model.tenant import Answer, Source, Version
from tests.serial.operations import SOURCES, State

_DOUBLED = """
MATCH (j:Job)-[:BECAUSE]->(c:Change)
WHERE j.tenant = $tenant AND j.job_id > ''
UNWIND j.ids AS id
WITH c, id, count(j) AS jobs WHERE jobs > 1
RETURN c.target_key AS target, c.seq AS seq, jobs
"""


@dataclass(frozen=True)
class Look:
    """Settle, then read sources, changes, tiles, every version of every answer, and windows."""

    clock: int
    traces: tuple[str, ...]

    def taken(self, world: World, seen: Seen, audits: Audits | None) -> dict[str, Any]:
        told = {each.answer_id: each.changed for each in world.settle()}
        ids = {
            (trace, nth): derived_id("answer", world.tenant, trace_id, nth)
            for trace, trace_id in enumerate(self.traces)
            for nth in range(4)
        }
        return {
            "sources": {each: _source(seen, world.tenant, each) for each in SOURCES},
            "settled": {name: told[id_] for name, id_ in ids.items() if id_ in told},
            "answers": {
                name: rows
                for name, id_ in ids.items()
                if (rows := _versions(seen, id_)) is not None
            },
            "doubled": seen.graph.rows(_DOUBLED, world.tenant),
            "broken": broken_invariants(audits, world.tenant) if audits else {},
        }

    def explains(self, state: State, told: object) -> bool:
        if not isinstance(told, dict):
            return False
        model = state.tenant
        model.dispatch()
        names = _names(model.answers)
        settled = {names[nth]: model.check(nth, self.clock) for nth in model.waiting()}
        return (
            told["settled"] == settled
            and told["doubled"] == []
            and told["broken"] == {}
            and told["answers"]
            == {name: _kept(a) for name, a in zip(names, model.answers, strict=True)}
            and all(_same(told["sources"][each], model.sources[each]) for each in SOURCES)
        )


def _source(seen: Seen, tenant: str, source_id: str) -> dict[str, Any]:
    held, competing = seen.versions(source_id)
    return {
        "held": held,
        "competing": competing,
        "changes": seen.changes(source_key(tenant, source_id)),
        "tiles": seen.tiles(source_id),
    }


def _same(told: dict[str, Any], source: Source) -> bool:
    ledger = source.ledger
    return (
        told["held"] == set(ledger.held)
        and told["competing"] == {h.tx for h in ledger.held if ledger.competes(h)}
        and told["changes"] == [vars(change) for change in source.changes]
        and all(
            _winners(told["tiles"], at, known_at) == {then.winner(at)} - {None}
            for known_at, then in source.past
            for at in then.boundaries()
        )
    )


def _winners(tiles: list[Tile], at: int, known_at: int) -> set[int | None]:
    return {tile.tx for tile in tiles if tile.covers(at, known_at) and tile.end <= FOREVER}


def _versions(seen: Seen, answer_id: str) -> dict[str, Any] | None:
    rows = seen.graph.rows(
        "MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $id}) RETURN a.answer_id",
        seen.tenant,
        id=answer_id,
    )
    if not rows:
        return None
    found = seen.answer(answer_id)
    held = [each["held"] for each in found["versions"]]
    return {
        "versions": [(v["why"], v["status"], claims(v["claims_json"])) for v in held],
        "told": [v["seq"] for v in held if v.get("emit_id")],
        "windows": found["windows"],
        "covered": found["head"].get("checked_seqs"),
        "deleted": found["head"].get("deleted_at") is not None,
    }


def _kept(answer: Answer) -> dict[str, Any]:
    moves = zip(answer.versions, answer.versions[1:], strict=False)
    told = [seq for seq, (was, now) in enumerate(moves, 2) if _tells(was, now)]
    return {
        "versions": [(v.why, v.status, v.claims) for v in answer.versions],
        "told": told,
        "windows": told[:1],
        "covered": None if answer.covered is None else list(answer.covered),
        "deleted": answer.deleted_at is not None,
    }


def _tells(was: Version, now: Version) -> bool:
    """Whether an owner must hear of it: the status moved, or a claim is worse or newly so."""
    if was.status != now.status:
        return True
    return any(
        after.state != "ok"
        and (before.state == "ok" or not set(after.causes) <= set(before.causes))
        for before, after in zip(was.claims, now.claims, strict=True)
    )


def _names(answers: list[Answer]) -> list[tuple[int, int]]:
    """Name answers by their trace, and how many had been saved of it before."""
    traces = [answer.trace for answer in answers]
    return [(trace, traces[:nth].count(trace)) for nth, trace in enumerate(traces)]
