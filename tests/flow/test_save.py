"""Saving, the watch that comes with it, and deletion (seed §3.1–3.3, §5, §6)."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from neo4j import Driver

from app.config import AnswersSettings
from app.core.errors import Conflict, LimitReached, TelhaError
from app.core.states import Caveat, ClaimState, Status
from tests.builders import NOON, Cite, Said, World, refused
from tests.dumps import Graph
from tests.flow.conftest import Stores
from tests.flow.rivals import after_rival

WATCHED = """
MATCH (:SAVED_ANSWER {tenant: $tenant})<-[:FOR]-(:Watch)-[x:WATCHES]->(t)
RETURN x.idx AS idx, coalesce(t.clarification_id, t.source_id) AS name ORDER BY idx
"""


def test_a_saved_answer_is_current_and_not_checked_yet(world: World) -> None:
    shown = world.show(world.saved(Said("All is well.")))
    assert shown.status is Status.CURRENT
    assert shown.checked_at is None
    assert (shown.question, shown.draft, shown.saved_at) == (
        "What is the cap?",
        "All is well.",
        NOON,
    )
    assert [(version.seq, version.why) for version in shown.history] == [(1, "saved")]


def test_saving_watches_each_cited_source_and_pending_clarification_once(
    world: World, graph: Graph
) -> None:
    cap, sky = world.version("b-cap").tx, world.version("a-sky", "blue").tx
    world.ask("b-cap", "q1")
    world.saved(
        Said("one", [Cite("b-cap", cap, "€2m"), Cite("a-sky", sky, "blue")], pending=["q1"]),
        Said("two", [Cite("b-cap", cap, "cap")]),
    )
    assert graph.rows(WATCHED, world.tenant) == [
        {"idx": 0, "name": "a-sky"},
        {"idx": 1, "name": "b-cap"},
        {"idx": 2, "name": "q1"},
    ]


def test_saving_queues_the_first_check_which_sees_what_changed_in_between(world: World) -> None:
    cap = world.version("cap").tx
    trace_id = world.trace(Said("The cap is €2m.", [Cite("cap", cap, "€2m")])).trace_id
    world.version("cap", "€5m")
    world.dispatch()
    answer_id = world.save(trace_id).answer_id
    assert world.status(answer_id) is Status.CURRENT
    [checked] = world.run_jobs()
    assert (checked.answer_id, checked.status) == (answer_id, Status.STALE)


def test_the_dependencies_stay_on_the_trace(world: World, graph: Graph) -> None:
    """Only the check's memory of seqs is on the answer; no source, no coordinate."""
    world.two_claims()
    held = graph.one("MATCH (a:SAVED_ANSWER {tenant: $tenant}) RETURN properties(a)", world.tenant)
    rest = {key: value for key, value in held.items() if key not in {"question", "draft"}}
    assert "cap" not in json.dumps(rest)
    assert str(NOON) not in json.dumps(json.loads(held["claims_json"]))


def test_claims_json_is_versioned_and_follows_the_traces_indexes(
    world: World, graph: Graph
) -> None:
    body = world.trace_body([Said("a", verdict="partial"), Said("b")])
    body["claims"][0]["idx"], body["claims"][1]["idx"] = 7, 3
    world.save(world.add(body).trace_id)
    held = graph.one("MATCH (a:SAVED_ANSWER {tenant: $tenant}) RETURN a.claims_json", world.tenant)
    stored = json.loads(held)
    assert stored["v"] == 1
    assert [(each["idx"], each["verdict_at_save"]) for each in stored["claims"]] == [
        (3, "supported"),
        (7, "partial"),
    ]


def test_who_saved_and_the_title_are_kept(world: World) -> None:
    trace_id = world.trace(Said("a")).trace_id
    both = {"createdByPerson": "ana", "createdByKey": "k1"}
    assert refused(lambda: world.save(trace_id, **both)).code == "PAYLOAD_INVALID"
    answer_id = world.save(trace_id, title="  Café – “€2m” ", createdByPerson="ana").answer_id
    shown = world.show(answer_id)
    assert (shown.title, shown.created_by_person, shown.created_by_key) == (
        "Café – “€2m”",
        "ana",
        None,
    )


def test_no_claims_and_no_evidence_are_caveats_never_green(world: World) -> None:
    empty, bare = world.answer(), world.answer(Said("All is well."))
    assert world.show(empty).caveats == (Caveat.NO_CLAIMS,)
    assert world.status(empty) is Status.CURRENT
    [claim] = world.show(bare).claims
    assert (claim.state, claim.caveats, claim.checkable) == (
        ClaimState.OK,
        (Caveat.NO_EVIDENCE,),
        False,
    )


# What is refused


def test_what_is_no_generation_of_this_tenant_cannot_be_saved(world: World, graph: Graph) -> None:
    query = world.trace(Said("a"), kind="query")
    before = graph.dump(world.tenant)
    assert refused(lambda: world.save("nothing")).code == "TRACE_NOT_FOUND"
    assert refused(lambda: world.save(query.trace_id)).code == "TRACE_NOT_GENERATION"
    world.answers = AnswersSettings(enabled=False)
    assert refused(lambda: world.save(query.trace_id)).code == "ANSWERS_DISABLED"
    assert graph.dump(world.tenant) == before


def test_a_trace_is_saved_once_while_its_answer_lives(world: World) -> None:
    trace_id = world.trace(Said("a")).trace_id
    first = world.save(trace_id)
    refusal = refused(lambda: world.save(trace_id))
    assert isinstance(refusal, Conflict)
    assert refusal.code == "ALREADY_SAVED"
    assert first.answer_id in str(refusal)
    world.delete(first.answer_id)
    second = world.save(trace_id)
    assert second.answer_id != first.answer_id
    assert [row.answer_id for row in world.listed().answers] == [second.answer_id]


def test_a_repeated_request_is_the_first_result_and_another_one_is_refused(
    world: World, graph: Graph
) -> None:
    trace_id = world.trace(Said("a")).trace_id
    first = world.save(trace_id, requestId="r1")
    before = graph.dump(world.tenant)
    again = world.save(trace_id, requestId="r1")
    assert (again.answer_id, again.status) == (first.answer_id, first.status)
    assert (first.created, again.created) == (True, False)
    refusal = refused(lambda: world.save(trace_id, requestId="r2"))
    assert refusal.code == "ALREADY_SAVED"
    assert first.answer_id in str(refusal)
    assert graph.dump(world.tenant) == before


def test_a_tenant_saves_no_more_than_it_may(world: World) -> None:
    world.answers = AnswersSettings(enabled=True, max_saved_per_tenant=2)
    first = world.saved(Said("a"))
    world.saved(Said("b"))
    trace_id = world.trace(Said("c")).trace_id
    refusal = refused(lambda: world.save(trace_id))
    assert isinstance(refusal, LimitReached)
    assert refusal.code == "TOO_MANY_ANSWERS"
    world.delete(first)
    assert world.save(trace_id).created


# At once


def at_once(world: World, stores: Stores, trace_ids: list[str]) -> list[str]:
    """Save all traces at once; return answer ids, and codes of refusals."""

    def save(own: World, trace_id: str) -> str:
        try:
            return own.save(trace_id).answer_id
        except TelhaError as refusal:
            return refusal.code

    worlds = [world.on(stores()) for _ in trace_ids]
    with ThreadPoolExecutor(len(trace_ids)) as pool:
        return list(pool.map(save, worlds, trace_ids))


def test_eight_saves_of_one_trace_at_once_give_one_answer(
    world: World, graph: Graph, stores: Stores
) -> None:
    for _ in range(5):
        trace_id = world.trace(Said("a"), question=f"at {world.clock.advance(1)}?").trace_id
        told = at_once(world, stores, [trace_id] * 8)
        assert told.count("ALREADY_SAVED") == 7
    assert graph.count(world.tenant, "SAVED_ANSWER") == 5


def test_the_limit_holds_under_saves_at_once(world: World, graph: Graph, stores: Stores) -> None:
    world.answers = AnswersSettings(enabled=True, max_saved_per_tenant=3)
    trace_ids = [world.trace(Said(f"claim {nth}")).trace_id for nth in range(8)]
    told = at_once(world, stores, trace_ids)
    assert told.count("TOO_MANY_ANSWERS") == 5
    assert graph.count(world.tenant, "SAVED_ANSWER") == 3


# Deletion


def test_deleting_hides_the_answer_detaches_its_watch_and_keeps_its_history(
    world: World, graph: Graph
) -> None:
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.settle()
    world.clock.advance(5)
    world.delete(saved.answer_id, actor="ana")

    assert world.listed().answers == ()
    assert graph.rows(WATCHED, world.tenant) == []
    shown = world.show(saved.answer_id)
    assert shown.deleted_at == world.clock.now()
    assert [version.why for version in shown.history] == ["saved", "check", "deleted"]
    assert shown.draft
    kinds = (
        "MATCH (e:AuditEvent {tenant: $tenant})"
        " RETURN e.kind AS kind, e.actor AS actor ORDER BY e.at"
    )
    assert graph.rows(kinds, world.tenant)[-1] == {"kind": "answer.deleted", "actor": "ana"}


def test_a_deleted_answer_is_never_checked_and_emits_nothing(world: World) -> None:
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.settle()
    world.delete(saved.answer_id)
    world.version("sky", "grey")
    assert world.settle() == []
    assert world.check(saved.answer_id) == []
    world.close_windows()
    assert list(world.events()) == []


def test_deleting_twice_is_deleting_once(world: World, graph: Graph) -> None:
    saved = world.two_claims()
    world.delete(saved.answer_id)
    before = graph.dump(world.tenant)
    assert world.delete(saved.answer_id).deleted
    assert graph.dump(world.tenant) == before
    assert refused(lambda: world.delete("nothing")).code == "ANSWER_NOT_FOUND"


def test_eight_that_delete_at_once_delete_once(world: World, graph: Graph, stores: Stores) -> None:
    for _ in range(5):
        saved = world.saved(Said("a"), question=f"at {world.clock.advance(1)}?")
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(World.delete, [world.on(stores()) for _ in range(8)], [saved] * 8))
    assert graph.count(world.tenant, "AnswerVersion") == 10


@pytest.mark.parametrize("stated", [{"traceId": ""}, {"traceId": "x" * 5000}, {"requestId": ""}])
def test_keys_out_of_limits_are_refused_naming_the_field(
    world: World, stated: dict[str, Any]
) -> None:
    body = {"traceId": "t"} | stated
    trace_id = body.pop("traceId")
    refusal = refused(lambda: world.save(trace_id, **body))
    assert str(refusal).startswith(next(iter(stated)))


def test_who_deletes_waits_for_who_is_checking(world: World, driver: Driver) -> None:
    saved = world.two_claims()
    moved = """
    MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id}) SET a.changed_at = $at
    """
    at = world.clock.now() + 5
    given = {"tenant": world.tenant, "answer_id": saved.answer_id, "at": at}
    after_rival(driver, moved, lambda: world.delete(saved.answer_id), **given)
    assert world.show(saved.answer_id).deleted_at == at
