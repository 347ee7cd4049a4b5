"""Clarifications: open, bound, conflicted, withdrawn, and open again (DESIGN §3, §5)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.core.states import CauseKind, Caveat, ClaimState, Status
from app.flow.versions import lock_sources
from app.payloads.ingest import Clarified
from app.ports import Tx
from tests.builders import Cite, Said, World, refused
from tests.dumps import Graph
from tests.flow.conftest import Stores

STATES = """
MATCH (:Clarification {tenant: $tenant})-[:STATE]->(s:ClarificationState)
RETURN s.state AS state, s.seq AS seq, s.recorded_at AS at ORDER BY seq
"""


def pinned(world: World, *, pending: tuple[str, ...] = ("q1",)) -> tuple[str, int]:
    """An answer with one claim for which a question about its source was pending."""
    cap = world.version("cap").tx
    world.ask("cap", "q1")
    cite = Cite("cap", cap, "€2m")
    return world.answer(Said("The cap is €2m.", [cite], pending=pending)), cap


def test_states_are_appended_and_may_be_opened_again(world: World, graph: Graph) -> None:
    world.version("cap")
    world.ask()
    world.clarify("bound", text="the main one")
    world.clarify("conflicted")
    world.clarify("withdrawn")
    assert world.clarify("open").seq == 5
    rows = graph.rows(STATES, world.tenant)
    assert [row["state"] for row in rows] == ["open", "bound", "conflicted", "withdrawn", "open"]
    assert [row["seq"] for row in rows] == [1, 2, 3, 4, 5]
    assert sorted({row["at"] for row in rows}) == [row["at"] for row in rows]


def test_each_state_is_one_change_and_the_same_state_again_is_none(
    world: World, graph: Graph
) -> None:
    world.version("cap")
    world.ask()
    world.clarify("bound", text="x")
    before = graph.dump(world.tenant)
    assert world.clarify("bound", text="x").changed is False
    assert graph.dump(world.tenant) == before
    assert world.clarify("bound", text="y").changed
    assert graph.count(world.tenant, "Change") == 1 + 3


@pytest.mark.parametrize(
    ("state", "stated", "code"),
    [
        ("bound", {"text": "x"}, "CLARIFICATION_UNKNOWN"),
        ("open", {"sourceId": "cap"}, "CLARIFICATION_INCOMPLETE"),
        ("open", {"question": "Which?"}, "CLARIFICATION_INCOMPLETE"),
        ("open", {"sourceId": "nowhere", "question": "Which?"}, "SOURCE_UNKNOWN"),
        ("bound", {}, "PAYLOAD_INVALID"),
        ("open", {"sourceId": "cap", "question": "?", "bind": 1}, "PAYLOAD_INVALID"),
        ("closed", {}, "PAYLOAD_INVALID"),
    ],
)
def test_a_first_state_that_is_not_whole_is_refused(
    world: World, graph: Graph, state: str, stated: dict[str, Any], code: str
) -> None:
    world.version("cap")
    before = graph.dump(world.tenant)
    assert refused(lambda: world.clarify(state, **stated)).code == code
    assert graph.dump(world.tenant) == before


def test_a_binding_chooses_only_what_its_source_can_still_say(world: World) -> None:
    gone = world.version("cap", "a")
    end = world.end("cap")
    world.withdraw("cap", gone.tx)
    world.version("other", "b", tx=7)
    world.ask()
    for bind, code in ((gone.tx, "NOT_BINDABLE"), (end.tx, "NOT_BINDABLE"), (7, "VERSION_UNKNOWN")):
        refusal = refused(lambda bind=bind: world.clarify("bound", text="x", bind=bind))  # type: ignore[misc]
        assert refusal.code == code


def test_a_clarification_stays_with_its_source(world: World) -> None:
    world.version("cap")
    world.version("sky")
    world.ask("cap")
    refusal = refused(lambda: world.clarify("open", sourceId="sky", question="?"))
    assert refusal.code == "CLARIFICATION_ELSEWHERE"


def test_an_open_question_makes_its_claim_pending_and_a_conflict_conflicted(world: World) -> None:
    answer_id, _ = pinned(world)
    assert world.status(answer_id) is Status.PENDING
    world.clarify("conflicted")
    world.settle()
    [claim] = world.show(answer_id).claims
    assert claim.state is ClaimState.CONFLICTED
    [cause] = claim.causes
    assert (cause.kind, cause.clarification_id) == (CauseKind.CLARIFICATION_CONFLICTED, "q1")


def test_a_binding_affects_and_a_withdrawal_has_no_effect(world: World) -> None:
    answer_id, cap = pinned(world)
    world.clarify("bound", text="the main one", bind=cap)
    world.settle()
    assert world.status(answer_id) is Status.STALE
    world.clarify("withdrawn")
    world.settle()
    assert world.status(answer_id) is Status.CURRENT


def test_when_a_question_closes_the_other_causes_show(world: World) -> None:
    answer_id, _ = pinned(world)
    world.version("cap", "€5m")
    world.settle()
    assert world.status(answer_id) is Status.PENDING
    world.clarify("withdrawn")
    world.settle()
    [claim] = world.show(answer_id).claims
    assert [cause.kind for cause in claim.causes] == [CauseKind.NEWER_VERSION]
    assert claim.state is ClaimState.AFFECTED


def test_a_question_opened_after_generation_is_a_caveat_and_no_dependency(
    world: World, graph: Graph
) -> None:
    cap = world.version("cap").tx
    answer_id = world.answer(Said("The cap is €2m.", [Cite("cap", cap, "€2m")]))
    world.ask("cap", "later")
    world.settle()
    world.check(answer_id)
    [claim] = world.show(answer_id).claims
    assert (claim.state, claim.caveats) == (ClaimState.OK, (Caveat.CLARIFICATION_OPEN,))
    watched = "MATCH (:Watch {tenant: $tenant})-[:WATCHES]->(t) RETURN labels(t) AS labels"
    assert [row["labels"] for row in graph.rows(watched, world.tenant)] == [["Source"]]


def test_a_clarification_moves_on_while_its_source_is_being_written(
    world: World, stores: Stores
) -> None:
    """Locks are taken in one order, sources before clarifications: it must not want its source."""
    world.version("cap")
    world.ask()

    def held(tx: Tx) -> Clarified:
        lock_sources(tx, world.tenant, ["cap"], now=world.clock.now())
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(world.on(stores()).clarify, "withdrawn").result()

    assert world.store.write(held).changed
