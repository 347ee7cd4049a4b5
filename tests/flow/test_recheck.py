"""Re-check: commits if nothing moved, once for what was stored, right beside writers."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

import pytest
from neo4j import Driver

from app.core import claims_json
from app.core.fold import fold
from app.core.instants import DAY
from app.core.states import ClaimState, Status
from app.flow.jobs import LeaseLost
from app.flow.recheck import run_job
from app.graph.catalog import Query
from app.graph.queries import recheck as q
from app.ports import Store, Tx
from tests.builders import CAP, Cite, Said, World
from tests.dumps import Graph
from tests.fakes import BetweenStore, OneByOne, OvertakenStore, PausedStore
from tests.flow.conftest import Stores, Worlds
from tests.flow.rivals import after_rival

R = TypeVar("R")
T = TypeVar("T")
_CHECKS = """
MATCH (e:AuditEvent {tenant: $tenant, kind: 'answer.checked'}) RETURN e.answers AS answers
"""
_FIRES = "MATCH (f:WatchFire {tenant: $tenant}) RETURN f.fire_id AS id"
_HELD = {
    "source": "MATCH (s:Source {tenant: $tenant}) SET s.locked_by = 'rival'",
    "clarification": "MATCH (k:Clarification {tenant: $tenant}) SET k.locked_by = 'rival'",
    "answer": "MATCH (a:SAVED_ANSWER {tenant: $tenant}) SET a.locked_by = 'rival'",
}
VERSIONS = """
MATCH (v:AnswerVersion {tenant: $tenant})
RETURN v.claims_json AS claims, v.status AS status, v.claim_states AS states ORDER BY v.seq
"""


@dataclass
class Overtaken(OneByOne):
    """A store in which something is written after every read of tiles, so often as told."""

    store: Store
    writes: Sequence[Callable[[], object]]
    done: list[object] = field(default_factory=list)

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        rows = self.store.read(query, **parameters)
        if query is q.READ_LOSSES and len(self.done) < len(self.writes):
            self.done.append(self.writes[len(self.done)]())
        return rows

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(work)


def test_eight_workers_on_one_answer_agree_with_the_fold_of_its_claims(
    world: World, stores: Stores
) -> None:
    answer = world.two_claims()
    others = [world.on(stores()) for _ in range(8)]
    for round_ in range(20):
        world.clock.advance(10)
        world.version("cap" if round_ % 2 else "sky", f"It is {round_}. The cap is blue.")
        barrier = threading.Barrier(len(others))

        def work(mine: World, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            mine.check(answer.answer_id)

        threads = [threading.Thread(target=work, args=(other,)) for other in others]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        shown = world.show(answer.answer_id)
        assert shown.status is fold([claim.state for claim in shown.claims])
        assert len(shown.history) == 2 + round_
    world.settle()
    assert world.status(answer.answer_id) is Status.STALE


@pytest.mark.slow
def test_eight_workers_beside_a_writer_store_one_version_for_each_real_change(
    world: World, stores: Stores, graph: Graph
) -> None:
    answer = world.two_claims()
    writer = world.on(stores())
    done = threading.Event()

    def check(mine: World) -> None:
        while not done.is_set():
            mine.check(answer.answer_id)

    threads = [threading.Thread(target=check, args=(world.on(stores()),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    try:
        for round_ in range(20):
            writer.version("cap" if round_ % 2 else "sky", f"It is {round_}.")
    finally:
        done.set()
        for thread in threads:
            thread.join()
    world.settle()
    told = graph.rows(VERSIONS, world.tenant)
    for before, after in pairwise(told):
        assert before["claims"] != after["claims"]
    for version in told:
        assert version["status"] == fold([ClaimState(each) for each in version["states"]])
    assert world.status(answer.answer_id) is Status.STALE


def test_a_check_overtaken_by_a_writer_starts_over(world: World, stores: Stores) -> None:
    answer = world.two_claims()
    world.clock.advance(10)
    world.version("cap", "The cap is €4m.")
    last = "The cap is €5m."
    overtaken = Overtaken(stores(), [lambda: world.version("cap", last)])

    [checked] = world.on(overtaken).check(answer.answer_id)

    assert checked.status is Status.PARTIALLY_STALE
    [cause] = world.show(answer.answer_id).claims[0].causes
    assert cause.winning_tx == overtaken.done[0].tx  # type: ignore[attr-defined]


def test_after_two_refusals_the_sources_are_locked_and_the_result_is_right(
    world: World, stores: Stores
) -> None:
    answer = world.two_claims()
    writes = [lambda n=n: world.version("cap", f"The cap is €{n}m.") for n in range(2)]
    overtaken = Overtaken(stores(), writes)

    [checked] = world.on(overtaken).check(answer.answer_id)

    assert len(overtaken.done) == 2
    assert checked.status is Status.PARTIALLY_STALE
    assert len(world.show(answer.answer_id).history) == 2


@dataclass
class Beside(OneByOne):
    """A store that starts another thread where a transaction reads its tiles, and goes on."""

    store: Store
    other: threading.Thread

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(lambda tx: work(_BesideTx(tx, self.other)))


@dataclass
class _BesideTx:
    tx: Tx
    other: threading.Thread

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        if query is q.READ_LOSSES and self.other.ident is None:
            self.other.start()
            self.other.join(timeout=1)
        return self.tx.run(query, **parameters)


def test_a_check_under_the_locks_is_never_overtaken_by_another_check(
    world: World, stores: Stores
) -> None:
    answer = world.two_claims()
    writes = [lambda n=n: world.version("cap", f"The cap is €{n}m.") for n in range(2)]
    rival = world.on(stores())
    other = threading.Thread(target=rival.check, args=(answer.answer_id,))
    mine = world.on(Beside(Overtaken(stores(), writes), other))

    told = mine.check(answer.answer_id)

    other.join()
    assert [each.status for each in told] == [Status.PARTIALLY_STALE]
    assert len(world.show(answer.answer_id).history) == 2


def test_an_answer_is_checked_once_for_changes_stored_before(world: World) -> None:
    answer = world.two_claims()
    for n in range(5):
        world.version("cap", f"The cap is €{n}m.")
        world.dispatch()
    ran = world.run_jobs()
    assert [each.answer_id for each in ran] == [answer.answer_id]


def test_another_check_meanwhile_is_enough(world: World, graph: Graph) -> None:
    """The job asked for one that reads what is stored now; it does not matter who made it."""
    answer_id = world.two_claims().answer_id
    world.version("sky", "The sky is grey.")
    world.check(answer_id)
    world.version("cap", f"{CAP} As before.")
    world.dispatch()
    lease = world.leased()
    other = partial(world.check, answer_id)
    done = run_job(world.on(OvertakenStore(world.store, other, times=1)).rechecker(), lease)
    assert done == []
    assert len(graph.rows(_CHECKS, world.tenant)) == 3


def test_no_check_judges_before_the_instant_of_the_one_before_it(world: World) -> None:
    answer_id = world.two_claims().answer_id

    def other() -> None:
        world.clock.advance(5)
        world.check(answer_id)

    world.on(PausedStore(world.store, nth=1, others=other)).check(answer_id)
    assert world.show(answer_id).checked_at == world.clock.now()


def test_nor_does_one_that_waited_for_its_locks(world: World) -> None:
    answer_id = world.two_claims().answer_id

    def other() -> None:
        world.clock.advance(5)
        world.version("cap", f"The cap is €{world.clock.now()}m.")
        world.check(answer_id)

    world.on(OvertakenStore(world.store, other, times=3)).check(answer_id)
    assert world.show(answer_id).checked_at == world.clock.now()


def test_a_check_in_which_nothing_changes_counts_as_one(world: World, graph: Graph) -> None:
    answer_id = world.two_claims().answer_id
    world.clock.at += 8 * DAY
    world.due()
    lease = world.leased()
    overtaken = replace(lease, why="asked")  # read and decided, not confirmed by one statement
    world.clock.at += 1
    store = OvertakenStore(world.store, partial(world.check, answer_id), times=1)
    assert world.on(store).rechecker().check(world.tenant, [answer_id], lease=overtaken) == []
    assert len(graph.rows(_CHECKS, world.tenant)) == 2


def test_a_change_that_comes_between_two_statements_of_a_commit_is_not_covered(
    world: World, graph: Graph
) -> None:
    saved = world.two_claims()
    world.version("cap", "The cap is €3m.")

    def later() -> None:
        world.version("cap", "The cap is €4m.")

    world.on(BetweenStore(world.store, q.WRITE_FIRES.name, later)).check(saved.answer_id)
    assert len(graph.rows(_FIRES, world.tenant)) == 1
    world.settle()
    assert len(graph.rows(_FIRES, world.tenant)) == 2


@pytest.mark.parametrize("what", ["source", "clarification", "answer"])
def test_a_check_under_the_locks_waits_for_who_writes_what_it_reads(
    world: World, driver: Driver, what: str
) -> None:
    tx = world.version("cap", CAP).tx
    world.ask("cap")
    answer_id = world.answer(Said(CAP, [Cite("cap", tx, "€2m")], pending=["q1"]))

    def locked() -> None:
        given = {"tenant": world.tenant, "ids": [answer_id], "token": "t"}
        world.store.write(lambda tx: tx.run(q.LOCK_TARGETS, **given))

    locked()
    after_rival(driver, _HELD[what], locked, tenant=world.tenant)


def test_an_answer_expires_where_what_wins_since_this_very_instant_ends(world: World) -> None:
    now = world.clock.now()
    tx = world.version("cap", CAP, validFrom=now, validTo=now + DAY, tx=now - 5).tx
    answer_id = world.saved(Said(CAP, [Cite("cap", tx, "€2m")]))
    world.clock.at = now
    world.check(answer_id)
    assert world.show(answer_id).expires_at == now + DAY


def test_only_live_answers_that_rest_on_what_changed_are_checked(worlds: Worlds) -> None:
    world = worlds()
    hit, gone = world.two_claims(), world.saved(Said("No evidence."))
    other = world.version("other", "Else.").tx
    rests_elsewhere = world.answer(Said("Else.", [Cite("other", other, "Else")]))
    world.delete(gone)
    world.clock.advance(5)
    world.version("sky", "The sky is grey.")
    assert [each.answer_id for each in world.settle()] == [hit.answer_id]
    assert world.status(rests_elsewhere) is Status.CURRENT


def test_a_claim_names_the_fire_of_the_change_that_moved_it(world: World) -> None:
    answer = world.two_claims()
    assert world.show(answer.answer_id).claims[0].fire_id is None
    moved = world.version("cap", "The cap is €5m.")
    world.settle()
    claim = world.show(answer.answer_id).claims[0]
    assert claim.fire_id is not None
    assert claim.last_change_tx == moved.tx
    world.version("sky", "The sky is grey.")
    world.settle()
    assert world.show(answer.answer_id).claims[0].fire_id == claim.fire_id


def test_a_job_whose_lease_was_lost_commits_nothing(world: World) -> None:
    answer = world.two_claims()
    world.version("cap", "The cap is €5m.")
    world.dispatch()
    paused = world.leased(seconds=6)
    world.real.advance(7)
    world.run_jobs()
    before = world.show(answer.answer_id)

    with pytest.raises(LeaseLost):
        run_job(world.rechecker(), paused)
    assert world.show(answer.answer_id) == before


def test_claims_json_is_v1_and_holds_no_text(world: World) -> None:
    answer = world.two_claims()
    rows = world.store.read(q.READ_HEADS, tenant=world.tenant, ids=[answer.answer_id])
    assert '"v":1' in rows[0].claims_json
    assert "€2m" not in rows[0].claims_json
    assert [c.state for c in claims_json.loads(rows[0].claims_json)] == [ClaimState.OK] * 2
