"""Refresh: a new answer supersedes; the old one, its trace and its history stay (seed §3.6)."""

from dataclasses import dataclass

import pytest
from neo4j import Driver

from app.core.errors import TelhaError
from app.core.generation import Draft
from app.core.states import Status
from app.flow import refresh
from app.flow.recheck import run_job
from app.flow.refresh import Refresher
from app.graph.loader import load
from app.payloads.answers import AnswerRef
from app.payloads.refresh import Refreshing, RefreshState, RefreshView
from app.ports import Store
from tests.builders import Cite, Said, World, refused
from tests.dumps import Graph
from tests.fakes import Broken, FailingStore, FixedGenerator
from tests.flow.rivals import after_rival

TRACE = """
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})-[:MAKES]->(c)
OPTIONAL MATCH (c)-[x:CITES]->(v)
RETURN properties(t) AS trace, properties(c) AS claim, properties(x) AS cites, v.tx AS tx
ORDER BY claim.idx, tx, cites.start
"""
CHAIN = """
MATCH (v:AnswerVersion {tenant: $tenant, answer_id: $answer_id})
WHERE v.seq <= $seq RETURN properties(v) AS version ORDER BY v.seq
"""
WATCHED = """
MATCH (w:Watch {tenant: $tenant})-[:FOR]->(a)
RETURN a.answer_id AS answer_id, COUNT { (w)-[:WATCHES]->() } AS targets,
       w.detached_at IS NOT NULL AS detached
"""


@dataclass
class Clerk:
    """Asks for refreshes, and makes them as a worker would."""

    world: World

    def ask(self, answer_id: str, **stated: object) -> Refreshing:
        body = {"tenant": self.world.tenant, "answer_id": answer_id, **stated}
        ref = AnswerRef.model_validate(body)
        return refresh.ask_refresh(self.world.store, self.world.clock, ref, configured=True)

    def work(self) -> None:
        """Run what was asked for, over an index that is up to date."""
        self.world.index()
        while lease := self.world.lease():
            if lease.kind == refresh.REFRESH:
                self.refresher().run(lease)
            else:
                run_job(self.world.rechecker(), lease)

    def refresher(self, store: Store | None = None) -> Refresher:
        """A refresher over this store, or another one."""
        world = self.world if store is None else self.world.on(store)
        return Refresher(world.store, world.clock, world.answers, world.maker())

    def found(self, new_answer_id: str) -> RefreshView:
        view = refresh.read_refresh(self.world.store, self.world.tenant, new_answer_id)
        assert view is not None
        return view


@pytest.fixture
def clerk(world: World) -> Clerk:
    return Clerk(world)


@pytest.fixture
def stale(world: World) -> str:
    """An answer that went stale."""
    cap = world.version("cap", "The cap is €2m.").tx
    trace_id = world.trace(Said("The cap is €2m.", [Cite("cap", cap, "€2m")])).trace_id
    answer_id = world.save(trace_id, title="Cap", createdByPerson="ana").answer_id
    world.settle()
    world.clock.advance(10)
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert world.status(answer_id) is Status.STALE
    return answer_id


def test_answer_refresh_supersedes(world: World, clerk: Clerk, stale: str, graph: Graph) -> None:
    before = world.show(stale)
    seq = before.history[-1].seq
    trace = graph.rows(TRACE, world.tenant, trace_id=before.trace_id)
    chain = graph.rows(CHAIN, world.tenant, answer_id=stale, seq=seq)
    due = before.recheck_due_at
    assert due is not None

    told = clerk.ask(stale)
    clerk.work()

    assert told.created
    new, old = world.show(told.new_answer_id), world.show(stale)
    assert (new.status, old.status) == (Status.CURRENT, Status.SUPERSEDED)
    assert old.superseded_by == new.answer_id
    assert (new.draft, old.draft) == ("The cap is €5m.", "The cap is €2m.")
    assert (new.title, new.question) == (old.title, old.question)
    assert new.created_by_person == old.created_by_person == "ana"
    assert clerk.found(new.answer_id).state is RefreshState.DONE
    assert graph.rows(TRACE, world.tenant, trace_id=before.trace_id) == trace
    assert graph.rows(CHAIN, world.tenant, answer_id=stale, seq=seq) == chain
    assert old.claims == before.claims
    assert old.history[:-1] == before.history
    assert old.recheck_due_at is None
    watched = {row["answer_id"]: row for row in graph.rows(WATCHED, world.tenant)}
    assert (watched[stale]["targets"], watched[stale]["detached"]) == (0, True)
    assert (watched[new.answer_id]["targets"], watched[new.answer_id]["detached"]) == (1, False)


def test_after_a_refresh_changes_reach_the_new_answer_alone(
    world: World, clerk: Clerk, stale: str
) -> None:
    told = clerk.ask(stale)
    clerk.work()
    versions = len(world.show(stale).history)
    world.clock.advance(10)
    world.version("cap", "The cap is €6m.")
    world.settle()
    assert world.status(told.new_answer_id) is Status.STALE
    assert len(world.show(stale).history) == versions
    world.close_windows()
    assert {event.answer_id for event in world.events()} == {told.new_answer_id}


def test_a_window_that_is_open_closes_as_suppressed(
    world: World, clerk: Clerk, stale: str, graph: Graph
) -> None:
    clerk.ask(stale)
    clerk.work()
    emits = graph.rows("MATCH (e:Emit {tenant: $tenant}) RETURN e.state AS state", world.tenant)
    assert [row["state"] for row in emits] == ["suppressed"]


def test_two_refreshes_at_once_make_one_successor_and_both_get_its_id(
    clerk: Clerk, stale: str, graph: Graph, world: World
) -> None:
    first, second = clerk.ask(stale), clerk.ask(stale)
    assert first.new_answer_id == second.new_answer_id
    assert (first.created, second.created) == (True, False)
    clerk.work()
    assert graph.count(world.tenant, "SAVED_ANSWER") == 2


def test_who_asks_for_a_refresh_waits_for_who_is_asking_for_one(
    clerk: Clerk, stale: str, driver: Driver
) -> None:
    asked = {"tenant": clerk.world.tenant, "answer_id": stale, "actor": None}
    rival = {"new_answer_id": "first", "job_id": "first", "now": 1, "run_at": 0}
    text = load()["refresh/open_refresh"].text
    told = after_rival(driver, text, lambda: clerk.ask(stale), **asked, **rival)
    assert (told.new_answer_id, told.created) == ("first", False)


def test_a_request_id_gives_the_first_result_again_also_afterwards(
    clerk: Clerk, stale: str
) -> None:
    first = clerk.ask(stale, request_id="r1")
    clerk.work()
    again = clerk.ask(stale, request_id="r1")
    assert again == first.model_copy(update={"created": False})


def test_until_it_is_done_it_is_no_saved_answer(world: World, clerk: Clerk, stale: str) -> None:
    told = clerk.ask(stale, actor="dana")
    view = clerk.found(told.new_answer_id)
    assert (view.state, view.answer_id, view.requested_by) == (RefreshState.OPEN, stale, "dana")
    assert refused(lambda: world.show(told.new_answer_id)).code == "ANSWER_NOT_FOUND"
    assert [row.answer_id for row in world.listed().answers] == [stale]


def test_the_question_goes_to_the_sources_that_it_named(world: World, clerk: Clerk) -> None:
    world.version("cap/de", "The cap is €2m.")
    world.version("cap/fr", "The cap is €3m.")
    world.index()
    asked = world.asked(sourceIds=["cap/de"])
    old = world.save(asked.trace_id).answer_id
    world.clock.advance(10)
    world.version("cap/de", "The cap is €5m.")

    told = clerk.ask(old)
    clerk.work()
    new = world.show(told.new_answer_id)
    again = world.asked(sourceIds=["cap/de"])
    assert asked.source_ids == again.source_ids == ("cap/de",)
    assert (new.draft, again.draft) == ("The cap is €5m.", "The cap is €5m.")
    assert "€3m" in world.asked().draft


def test_a_failure_changes_nothing_and_keeps_its_reason(
    world: World, clerk: Clerk, stale: str
) -> None:
    works = world.generator
    before = world.show(stale)
    failed = FixedGenerator(Draft(()), fails="GENERATOR_UNAVAILABLE")
    world.generator = failed
    told = clerk.ask(stale)
    clerk.work()

    view = clerk.found(told.new_answer_id)
    assert view.state is RefreshState.FAILED
    assert (view.reason or "").startswith("GENERATOR_UNAVAILABLE")
    assert len(failed.asked) == 1
    assert world.show(stale) == before
    assert [row.answer_id for row in world.listed().answers] == [stale]

    world.generator = works
    again = clerk.ask(stale)
    assert again.new_answer_id != told.new_answer_id
    clerk.work()
    assert world.show(stale).superseded_by == again.new_answer_id
    assert clerk.found(told.new_answer_id).state is RefreshState.FAILED


def test_an_empty_generation_changes_nothing(world: World, clerk: Clerk, stale: str) -> None:
    world.generator = FixedGenerator(Draft(()))
    told = clerk.ask(stale)
    clerk.work()
    assert (clerk.found(told.new_answer_id).reason or "").startswith("GENERATION_EMPTY")
    assert world.status(stale) is Status.STALE


def test_over_the_cap_nothing_changes(world: World, clerk: Clerk, stale: str) -> None:
    generator = FixedGenerator(Draft(()), most=10**9)
    world.generator = generator
    told = clerk.ask(stale)
    clerk.work()
    assert (clerk.found(told.new_answer_id).reason or "").startswith("COST_CAP_EXCEEDED")
    assert generator.asked == []
    assert world.status(stale) is Status.STALE


def test_a_bug_is_not_paid_for_eight_times(world: World, clerk: Clerk, stale: str) -> None:
    def bug() -> None:
        raise ZeroDivisionError

    generator = FixedGenerator(Draft(()), before=bug)
    world.generator = generator
    told = clerk.ask(stale)
    clerk.work()
    assert clerk.found(told.new_answer_id).reason == "UNEXPECTED: ZeroDivisionError"
    assert len(generator.asked) == 1


def test_at_the_cap_of_saved_answers_nothing_changes(
    world: World, clerk: Clerk, stale: str
) -> None:
    world.answers = world.answers.model_copy(update={"max_saved_per_tenant": 1})
    told = clerk.ask(stale)
    clerk.work()
    assert (clerk.found(told.new_answer_id).reason or "").startswith("TOO_MANY_ANSWERS")
    assert world.status(stale) is Status.STALE


def test_a_superseded_answer_is_refused_with_the_head_of_its_chain(
    world: World, clerk: Clerk, stale: str
) -> None:
    second = clerk.ask(stale).new_answer_id
    clerk.work()
    world.clock.advance(1)
    third = clerk.ask(second).new_answer_id
    clerk.work()
    refusal = refused(lambda: clerk.ask(stale))
    assert refusal.code == "ANSWER_SUPERSEDED"
    assert third in str(refusal)
    world.delete(third)
    assert refused(lambda: clerk.ask(stale)).code == "HEAD_DELETED"


def test_what_is_gone_is_not_refreshed(world: World, clerk: Clerk, stale: str) -> None:
    told = clerk.ask(stale)
    world.delete(stale)
    clerk.work()
    assert (clerk.found(told.new_answer_id).reason or "").startswith("ANSWER_NOT_FOUND")
    assert refused(lambda: clerk.ask(stale)).code == "ANSWER_NOT_FOUND"
    assert refused(lambda: clerk.ask("nobody")).code == "ANSWER_NOT_FOUND"


def test_without_a_generator_it_is_refused(world: World, stale: str) -> None:
    ref = AnswerRef(tenant=world.tenant, answer_id=stale)
    with pytest.raises(TelhaError) as refusal:
        refresh.ask_refresh(world.store, world.clock, ref, configured=False)
    assert refusal.value.code == "GENERATOR_UNCONFIGURED"


def test_nothing_refreshes_by_itself(world: World, stale: str, graph: Graph) -> None:
    for _ in range(3):
        world.clock.advance(8 * 86_400)
        world.due()
        world.settle()
        world.close_windows()
    assert graph.count(world.tenant, "Refresh") == 0
    assert world.status(stale) is Status.STALE


def test_a_store_that_fails_at_any_call_costs_delay_only(
    world: World, clerk: Clerk, stale: str
) -> None:
    told = clerk.ask(stale)
    world.index()
    for nth in range(1, 80):
        lease = world.lease()
        if lease is None or lease.kind != refresh.REFRESH:
            break
        failing = FailingStore(world.store, nth)
        try:
            clerk.refresher(failing).run(lease)
        except Broken:
            assert failing.failed
            world.real.advance(61)
    assert nth > 5
    world.check(told.new_answer_id)
    assert world.show(stale).superseded_by == told.new_answer_id
    assert clerk.found(told.new_answer_id).state is RefreshState.DONE
