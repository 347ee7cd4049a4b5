"""The graph of a tenant as plain rows, read whole and beside the store, to compare a model with."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.core import claims_json
from app.core.instants import FOREVER
from app.core.states import Cause, ClaimCheck
from app.core.values import source_key
from tests.dumps import Graph
from tests.flow.ledger import Held
from tests.model.judge import Judged, Why

_VERSIONS = """
MATCH (v:SourceVersion) WHERE v.source_key = $key AND v.tx >= 0
RETURN v.tx AS tx, v.valid_from AS start, v.valid_to AS end, v.text AS text,
       v.valid_from_rule = 'tx' AS by_tx, v.corrects_tx AS corrects, v.override_only AS own,
       v.observed_at AS observed_at, v.observed_from AS observed_from,
       v.removal IS NOT NULL AS gone, v.competes AS competes
"""
_TILES = """
MATCH (s:Source {source_key: $key})-[w:WINS|WON]->(v:SourceVersion)
RETURN w.valid_from AS start, w.valid_to AS end, w.tx_from AS since,
       coalesce(w.tx_to, 9223372036854775807) AS until, v.tx AS tx
ORDER BY since, start
"""
_CHANGES = """
MATCH (c:Change) WHERE c.target_key = $key AND c.seq >= 0
RETURN c.what AS what, c.tx AS tx, c.recorded_at AS recorded_at, c.state = 'open' AS open
ORDER BY c.seq
"""
_ANSWER = """
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})
RETURN properties(a) AS head,
       COLLECT { MATCH (v:AnswerVersion)
                 WHERE v.tenant = $tenant AND v.answer_id = $answer_id AND v.seq >= 1
                 RETURN {held: properties(v),
                         winners: COLLECT { MATCH (v)-[x:AFFECTED_BY]->(n)
                                            RETURN DISTINCT [x.idx, n.source_id, n.tx] AS each
                                            ORDER BY each }}
                 ORDER BY v.seq } AS versions,
       COLLECT { MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
                 RETURN coalesce(t.clarification_id, t.source_id) ORDER BY x.idx } AS targets,
       COLLECT { MATCH (a)<-[:FOR]-(:Watch)<-[:OF]-(f:WatchFire)
                 MATCH (f)-[:BECAUSE]->(c:Change)-[:CHANGED]->(t)
                 RETURN [coalesce(t.clarification_id, t.source_id), c.seq] } AS fires,
       COLLECT { MATCH (e:Emit)-[:ABOUT]->(a)
                 RETURN e.opened_seq ORDER BY e.opened_seq } AS windows,
       COLLECT { MATCH (e:AuditEvent)
                 WHERE e.tenant = $tenant AND e.at >= 0 AND e.kind = 'answer.checked'
                   AND a.answer_id IN e.answers RETURN e.at } AS checks
"""


@dataclass(frozen=True)
class Tile:
    """A winner over a window of valid time and one of recording, as ``WINS`` or ``WON``."""

    start: int
    end: int
    since: int
    until: int
    tx: int

    def covers(self, at: int, known_at: int) -> bool:
        return self.start <= at < self.end and self.since <= known_at < self.until

    @property
    def stands(self) -> bool:
        return self.until == FOREVER


@dataclass(frozen=True)
class Seen:
    """Reads the graph of one tenant."""

    graph: Graph
    tenant: str

    def versions(self, source_id: str) -> tuple[set[Held], set[int]]:
        """Return the versions of a source, and the txs of those that compete."""
        rows = self._of(_VERSIONS, source_id)
        competing = {row["tx"] for row in rows if row.pop("competes")}
        return {Held(**row) for row in rows}, competing

    def tiles(self, source_id: str) -> list[Tile]:
        return [Tile(**row) for row in self._of(_TILES, source_id)]

    def changes(self, key: str) -> list[dict[str, Any]]:
        return self.graph.rows(_CHANGES, self.tenant, key=key)

    def answer(self, answer_id: str) -> dict[str, Any]:
        [row] = self.graph.rows(_ANSWER, self.tenant, answer_id=answer_id)
        return row

    def _of(self, text: str, source_id: str) -> list[dict[str, Any]]:
        return self.graph.rows(text, self.tenant, key=source_key(self.tenant, source_id))


def winner(tiles: Iterable[Tile], at: int, known_at: int) -> int | None:
    """Return who won at an instant as recorded by another; tiles that overlap are an error."""
    over = {tile.tx for tile in tiles if tile.covers(at, known_at)}
    assert len(over) < 2, f"at {at}, known at {known_at}: {over}"
    return next(iter(over), None)


def claims(text: str) -> tuple[Judged, ...]:
    """Return ``claims_json`` as the model has it."""
    return tuple(_claim(check) for check in claims_json.loads(text))


def _claim(check: ClaimCheck) -> Judged:
    return Judged(check.state, tuple(map(_why, check.causes)), check.caveats)


def _why(cause: Cause) -> Why:
    return Why(
        cause.kind,
        cause.state,
        cause.source_id,
        cause.cited_tx,
        cause.winning_tx,
        cause.clarification_id,
    )
