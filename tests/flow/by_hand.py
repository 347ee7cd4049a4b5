"""DESIGN §4–5 read from what is stored, without tiles, rules or fold of the product.

Who wins at an instant by looking at all versions, overrides and tombstones of a source; from that
and the clarifications what every claim is, and from these the status of the answer. Nothing that
the product derives is read: no ``WINS``, no ``competes``, no watch, no seq.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from tests.dumps import Graph

Row = dict[str, Any]
Told = tuple[str, frozenset[tuple[str, Any, Any]]]
"""A claim's state, and what gives it: source, cited tx or clarification, winning or bound tx."""

_WORST_FIRST = ("invalidated", "conflicted", "pending", "affected", "ok")
_CLARIFIED = {"open": "pending", "conflicted": "conflicted", "bound": "affected"}
_FOR_GOOD = ("retention", "erasure")

_VERSIONS = """
MATCH (v:SourceVersion) WHERE v.source_key STARTS WITH $tenant + '\\u001f'
RETURN v.source_id AS source_id, v.tx AS tx, v.valid_from AS start, v.valid_to AS end,
       v.ends AS ends, v.removal AS removal, v.corrects_tx AS corrects, v.override_only AS own,
       v.observed_at AS observed_at
"""
_OVERRIDES = """
MATCH (s:Source)<-[:OVERRIDES]-(o:Override)
WHERE s.source_key STARTS WITH $tenant + '\\u001f'
RETURN s.source_id AS source_id, o.tx AS tx, o.bound_tx AS bound_tx, o.valid_from AS start,
       o.valid_to AS end, o.released_at AS released_at
"""
_CLAIMS = """
MATCH (a:SAVED_ANSWER)-[:PINS]->(:Trace)-[:MAKES]->(c:Claim)
WHERE a.tenant = $tenant AND a.answer_id IN $ids
RETURN a.answer_id AS answer_id, c.pinned_at AS pinned_at,
       COLLECT { MATCH (c)-[:CITES]->(v) RETURN [v.source_id, v.tx] } AS cites,
       COLLECT { MATCH (c)-[:PENDING_ON]->(k) CALL (k) {
                   MATCH (k)-[:STATE]->(s) RETURN s ORDER BY s.seq DESC LIMIT 1 }
                 RETURN [k.source_id, k.clarification_id, s.state, s.bound_tx] } AS pending
ORDER BY answer_id, c.idx
"""


@dataclass(frozen=True)
class Reading:
    """What an answer is, read by hand: its status, and each claim in order."""

    status: str
    claims: tuple[Told, ...]


@dataclass(frozen=True)
class Sources:
    """The stored statements of a tenant, by source."""

    versions: dict[str, list[Row]]
    overrides: dict[str, list[Row]]

    def winner(self, source_id: str, at: int) -> int | None:
        """Return the tx that wins at an instant, or ``None``."""
        versions = self.versions[source_id]
        gone = {v["tx"] for v in versions if v["removal"]}
        binding = [
            o
            for o in self.overrides[source_id]
            if not o["released_at"] and o["bound_tx"] not in gone and o["start"] <= at < o["end"]
        ]
        if binding:
            return int(max(binding, key=lambda o: int(o["tx"]))["bound_tx"])
        naming = defaultdict(list)
        for v in versions:
            if v["corrects"] is not None and _stands(v):
                naming[v["corrects"]].append(v["tx"])
        running = [
            v
            for v in versions
            if v["start"] <= at < v["end"]
            and _stands(v)
            and not v["own"]
            and v["tx"] not in naming
            and (v["corrects"] is None or v["tx"] == max(naming[v["corrects"]]))
        ]
        first = max(running, key=lambda v: (v["start"], v["tx"]), default=None)
        return None if first is None or first["ends"] or first["removal"] else int(first["tx"])

    def removed(self, source_id: str, tx: int) -> bool:
        """Whether the version at ``tx`` is tombstoned."""
        return any(v["tx"] == tx and v["removal"] for v in self.versions[source_id])

    def newest(self, source_id: str) -> int:
        """Return the greatest tx that the source ever heard of."""
        heard = [max(v["tx"], v["observed_at"]) for v in self.versions[source_id]]
        return max(map(int, heard + [o["tx"] for o in self.overrides[source_id]]))


def read_by_hand(graph: Graph, tenant: str, ids: list[str], now: int) -> dict[str, Reading]:
    """Return what each of some answers is at ``now`` (µs)."""
    sources = Sources(
        _by_source(graph.rows(_VERSIONS, tenant)), _by_source(graph.rows(_OVERRIDES, tenant))
    )
    claims: dict[str, list[Row]] = {each: [] for each in ids}
    for row in graph.rows(_CLAIMS, tenant, ids=ids):
        claims[row["answer_id"]].append(row)
    return {answer_id: _answer(sources, held, now) for answer_id, held in claims.items()}


def _answer(sources: Sources, claims: list[Row], now: int) -> Reading:
    cited = {source_id for claim in claims for source_id, _ in claim["cites"]}
    at = max([now, *(sources.newest(each) for each in cited)])
    told = tuple(_claim(sources, claim, at) for claim in claims)
    return Reading(_status([state for state, _ in told]), told)


def _claim(sources: Sources, claim: Row, now: int) -> Told:
    at = now if claim["pinned_at"] is None else claim["pinned_at"]
    causes = {}
    for source_id, tx in claim["cites"]:
        winner = sources.winner(source_id, at)
        if sources.removed(source_id, tx):
            causes[source_id, tx, winner] = "invalidated"
        elif winner != tx:
            causes[source_id, tx, winner] = "affected"
    for source_id, clarification_id, state, bound_tx in claim["pending"]:
        if state in _CLARIFIED:
            causes[source_id, clarification_id, bound_tx] = _CLARIFIED[state]
    worst = min(causes.values(), key=_WORST_FIRST.index, default="ok")
    return worst, frozenset(causes)


def _status(states: list[str]) -> str:
    for worst in ("invalidated", "conflicted", "pending"):
        if worst in states:
            return worst
    if "affected" not in states:
        return "current"
    return "stale" if set(states) == {"affected"} else "partially_stale"


def _stands(version: Row) -> bool:
    return version["removal"] is None or version["removal"] in _FOR_GOOD


def _by_source(rows: list[Row]) -> dict[str, list[Row]]:
    grouped = defaultdict(list)
    for row in rows:
        grouped[row["source_id"]].append(row)
    return grouped
