"""Bugs to plant: each a way in which such code is wrong in life, and what the checker is for.

A bug is a statement of the catalogue with a piece replaced, a store that does its work in the wrong
order, or a function of the flow that stops too soon. How many histories it took to find each, in
two or three runs on two cores that others kept busy, without asking the audit invariants::

    the lock of a source is dropped                            1, 2, 2
    a relationship is used as the lock of a source             3, 3, 4
    the search for tiles stops a page early                    1, 2, 5
    the lock of an answer is dropped from the commit           4, 17, 17
    the head is not compared                                   3, 11, 13
    the seqs are not compared                                  2, 8, 10
    seqs and tiles are read in one statement                   2, 8, 9
    the event leaves its transaction                           1, 3
    the lock of a clarification is dropped                     1, 8
    the lock of the tenant's counter is dropped                1, 1
    the tenant's counter is read before its lock               1, 1
    MERGE creates the tenant's counter without a constraint    1, 1
    the token of a lease is not compared                       2, 2
    the state of a job is carried through WITH                 1, 1
    the state of a change is carried through WITH              1, 9, 11
    dispatch goes on from the last change that it saw          2
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest

from app.flow import recut
from app.graph.loader import Statement
from app.ports import Store
from tests.serial.wrong_stores import (
    LATE_EMITS,
    OPEN_AFTER,
    CursorStore,
    LateEmitStore,
    OneStatementStore,
    heads_with_losses,
)

LOCKED = "SET s.locked_by = $token"
RELATED = "CREATE (s)-[:LOCKED]->(:Lock {tenant: s.tenant, token: $token})"
COMPARED = """
  AND r.seqs = COLLECT { MATCH (a)<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
                         RETURN coalesce(t.tiles_seq, t.seq) ORDER BY x.idx }"""
EMITTED = """
FOREACH (_ IN CASE WHEN r.moved AND open IS NULL THEN [1] ELSE [] END |
  CREATE (:Emit {
    tenant: $tenant, emit_id: r.emit_id, answer_id: r.answer_id, open_for: r.answer_id,
    state: 'open', opened_seq: r.seq + 1, opened_at: r.checked_at, due_at: r.window_due_at,
    first_check: r.first_check
  })-[:ABOUT]->(a))"""
HELD = "j.state = 'open' AND j.lease_token = $token"


@dataclass(frozen=True)
class Bug:
    """What is wrong, and the kind of history in which it shows.

    ``pieces``: by statement, what stands in it and what stands there instead.
    """

    kind: str
    pieces: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    added: Callable[[Mapping[str, Statement]], Statement] | None = None
    wrong: Callable[[Store, random.Random | None], Store] | None = None
    patch: Callable[[pytest.MonkeyPatch], None] | None = None

    def replaced(self, catalogue: Mapping[str, Statement]) -> dict[str, Statement]:
        """Return the statements that stand in for those of the catalogue."""
        added = self.added(catalogue) if self.added else None
        planted = {added.name: added} if added else {}
        for name, (piece, instead) in self.pieces.items():
            statement = catalogue[name]
            assert statement.text.count(piece) == 1, f"{name} does not hold {piece!r} once"
            planted[name] = replace(statement, text=statement.text.replace(piece, instead))
        return planted


def _stop_early(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recut, "_SPARE", 0)
    patch.setattr(recut, "covered", lambda span, windows: True)


BUGS: Mapping[str, Bug] = {
    "the lock of a source is dropped": Bug(
        "writers",
        dict.fromkeys(("ingest/lock_sources", "ingest/lock_known_source"), (LOCKED, "")),
    ),
    "a relationship is used as the lock of a source": Bug(
        "writers",
        dict.fromkeys(("ingest/lock_sources", "ingest/lock_known_source"), (LOCKED, RELATED)),
    ),
    "the search for tiles stops a page early": Bug("writers", patch=_stop_early),
    "the lock of an answer is dropped from the commit": Bug(
        "rivals", {"recheck/lock_unmoved": ("SET a.locked_by = $token", "")}
    ),
    "the head is not compared": Bug(
        "rivals",
        {
            "recheck/lock_unmoved": (
                "a.seq = r.seq\n  AND coalesce(a.checked_at, -1) = r.was_checked_at\n  AND ",
                "",
            )
        },
    ),
    "the seqs are not compared": Bug("checks", {"recheck/lock_unmoved": (COMPARED, "")}),
    "seqs and tiles are read in one statement": Bug(
        "rivals",
        added=heads_with_losses,
        wrong=lambda store, chance: OneStatementStore(store),
    ),
    "the event leaves its transaction": Bug(
        "checks",
        {"recheck/append_versions": (EMITTED, "")},
        added=lambda catalogue: LATE_EMITS,
        wrong=LateEmitStore,
    ),
    "the lock of a clarification is dropped": Bug(
        "checks", {"clarify/lock_clarification": ("SET c.locked_by = $token", "")}
    ),
    "the lock of the tenant's counter is dropped": Bug(
        "saves", {"save/lock_tenant": ("SET n.locked_by = $token", "")}
    ),
    "the tenant's counter is read before its lock": Bug(
        "saves",
        {
            "save/lock_tenant": (
                """SET n.locked_by = $token
WITH n
RETURN n.answers_live AS answers_live""",
                """WITH n, n.answers_live AS answers_live
SET n.locked_by = $token
RETURN answers_live""",
            )
        },
    ),
    "MERGE creates the tenant's counter without a constraint": Bug(
        "saves",
        {
            "save/lock_tenant": ("(n:Tenant {", "(n:Counter {"),
            "save/create_answer": ("(n:Tenant {", "(n:Counter {"),
            "save/delete_answer": ("(n:Tenant {", "(n:Counter {"),
        },
    ),
    "the token of a lease is not compared": Bug(
        "leases",
        {
            "job/hold_job": (HELD, "j.state = 'open'"),
            "job/finish_job": ("j.lease_token = $token", "j.state = 'open'"),
        },
    ),
    "the state of a job is carried through WITH": Bug(
        "leases",
        {
            "job/lease_job": (
                """SET j.locked_by = $token
WITH j
WHERE j.state = 'open' AND j.run_at <= $now""",
                """WITH j, j.state AS state, j.run_at AS run_at
SET j.locked_by = $token
WITH j, state, run_at
WHERE state = 'open' AND run_at <= $now""",
            )
        },
    ),
    "the state of a change is carried through WITH": Bug(
        "dispatches",
        {
            "change/claim_changes": (
                "SET c.locked_by = $token\nWITH c WHERE c.state = 'open'",
                "WITH c, c.state AS state\nSET c.locked_by = $token\nWITH c WHERE state = 'open'",
            )
        },
    ),
    "dispatch goes on from the last change that it saw": Bug(
        "dispatches",
        added=lambda catalogue: OPEN_AFTER,
        wrong=lambda store, chance: CursorStore(store),
    ),
}
