"""Confirm: what nothing can have moved is not read again; whatever else is due is checked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
from neo4j import Driver

from app.core.instants import DAY, HOUR
from app.core.rules import Verdict
from app.core.states import Caveat, Status
from app.flow.confirm import confirm_unmoved
from app.flow.jobs import queue_check
from app.flow.recheck import run_job
from app.graph.catalog import Query
from app.ports import Store, Tx
from tests.builders import CAP, Cite, Said, TwoClaims, World, refused
from tests.dumps import Graph
from tests.fakes import FixedVerifier, OneByOne
from tests.flow.acts import supersede
from tests.flow.rivals import after_rival

R = TypeVar("R")
T = TypeVar("T")
CHECKED = """
MATCH (e:AuditEvent {tenant: $tenant, kind: 'answer.checked', why: 'due'})
RETURN e.answers AS answers, e.outcomes AS outcomes
"""
_DELETED = """
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id}) SET a.deleted_at = $at
"""
WEEK = 7 * DAY


@dataclass
class Heard(OneByOne):
    """A store that keeps the names of what is read outside a transaction."""

    store: Store
    read_names: list[str] = field(default_factory=list)

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        self.read_names.append(query.name)
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(work)


def swept(world: World) -> bool:
    """Sweep, run what is due, and tell whether every answer was confirmed and none read again."""
    heard = Heard(world.store)
    assert world.due().due
    world.on(heard).run_jobs()
    return "recheck/read_heads" not in heard.read_names


def agrees_with_a_check(world: World, answer_id: str) -> bool:
    """Tell whether a full check right now changes nothing that the sweep noted."""
    before = world.show(answer_id)
    [checked] = world.check(answer_id)
    return not checked.changed and world.show(answer_id) == before


def test_what_nobody_touched_is_confirmed_by_one_statement(world: World, graph: Graph) -> None:
    first, second = world.two_claims(), world.answer(Said("Nothing is cited."))
    world.clock.at += WEEK
    assert swept(world)
    for answer_id in (first.answer_id, second):
        shown = world.show(answer_id)
        assert (shown.checked_at, shown.recheck_due_at) == (
            world.clock.now(),
            world.clock.now() + WEEK,
        )
        assert len(shown.history) == 1
        assert agrees_with_a_check(world, answer_id)
    [event] = graph.rows(CHECKED, world.tenant)
    assert event["answers"] == sorted([first.answer_id, second])
    assert event["outcomes"] == ["current, unchanged"] * 2


def test_an_answer_whose_boundary_is_to_come_is_due_then(world: World) -> None:
    saved = world.two_claims()
    expires_at = world.clock.now() + WEEK + HOUR
    world.version("cap", CAP + " Later.", validFrom=expires_at)
    world.settle()
    world.clock.at += WEEK
    assert swept(world)
    shown = world.show(saved.answer_id)
    assert (shown.expires_at, shown.recheck_due_at) == (expires_at, expires_at)
    assert agrees_with_a_check(world, saved.answer_id)


def moved(world: World, saved: TwoClaims) -> None:
    world.version("cap", "The cap is €5m.")


def asked(world: World, saved: TwoClaims) -> None:
    world.ask("cap")


def overridden(world: World, saved: TwoClaims) -> None:
    world.override("cap", bind=saved.cap)
    world.settle()
    world.clock.advance(1)
    world.version("cap", "The cap is €5m.", validFrom=world.clock.now() + 1)
    world.settle()


def expired(world: World, saved: TwoClaims) -> None:
    world.version("cap", "The cap is €5m.", validFrom=world.clock.now() + WEEK)
    world.settle()


def announced(world: World, saved: TwoClaims) -> None:
    world.version("cap", "The cap is €5m.", validFrom=world.clock.now() + 2 * WEEK)


def there_and_back(world: World, saved: TwoClaims) -> None:
    start = world.clock.now() + DAY
    world.version("cap", "The cap is €5m.", validFrom=start, validTo=start + DAY)
    world.settle()


def stale(world: World, saved: TwoClaims) -> None:
    world.version("cap", "The cap is €5m.")
    world.settle()


@pytest.mark.parametrize(
    ("happens", "status", "caveat"),
    [
        (moved, Status.PARTIALLY_STALE, None),
        (asked, Status.CURRENT, Caveat.CLARIFICATION_OPEN),
        (overridden, Status.CURRENT, Caveat.NEWER_UNDER_OVERRIDE),
        (expired, Status.PARTIALLY_STALE, None),
        (stale, Status.PARTIALLY_STALE, None),
        (announced, Status.CURRENT, None),
        (there_and_back, Status.CURRENT, None),
    ],
)
def test_what_may_have_moved_is_checked(
    world: World,
    happens: Callable[[World, TwoClaims], None],
    status: Status,
    caveat: Caveat | None,
) -> None:
    saved = world.two_claims()
    happens(world, saved)
    world.clock.at += WEEK
    assert not swept(world)
    shown = world.show(saved.answer_id)
    assert shown.status is status
    if caveat is not None:
        assert caveat in shown.claims[0].caveats
    assert agrees_with_a_check(world, saved.answer_id)


def test_a_caveat_that_no_longer_holds_goes(world: World) -> None:
    saved = world.two_claims()
    world.ask("cap")
    world.check(saved.answer_id)
    world.clarify("withdrawn")
    world.clock.at += WEEK
    assert not swept(world)
    assert Caveat.CLARIFICATION_OPEN not in world.show(saved.answer_id).claims[0].caveats


def test_a_claim_that_a_model_cleared_is_checked_again(world: World) -> None:
    world.verifier = FixedVerifier(Verdict.SUPPORTED)
    saved = world.two_claims()
    world.version("cap", "The cap is still €2m.")
    world.settle()
    assert world.status(saved.answer_id) is Status.CURRENT
    world.verifier = FixedVerifier(Verdict.UNSUPPORTED)
    world.clock.at += WEEK
    assert not swept(world)
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE


def test_a_claim_that_a_model_cleared_beside_a_binding_is_checked_again(world: World) -> None:
    world.verifier = FixedVerifier(Verdict.SUPPORTED)
    tx = world.version("cap", CAP).tx
    world.ask("cap")
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", tx, "€2m")], pending=["q1"]))
    world.clarify("bound", text="It is €2m.")
    world.settle()
    assert world.status(answer_id) is Status.CURRENT
    world.verifier = FixedVerifier(Verdict.UNSUPPORTED)
    world.clock.at += WEEK
    assert not swept(world)
    assert world.status(answer_id) is Status.STALE


@pytest.mark.parametrize(("at", "wins"), [(4, False), (5, True), (9, True), (10, False)])
def test_a_pinned_claim_that_a_model_cleared_is_checked_again(
    world: World, at: int, wins: bool
) -> None:
    world.verifier = FixedVerifier(Verdict.SUPPORTED)
    world.version("cap", "It was €1m.", validFrom=1, validTo=5)
    tx = world.version("cap", CAP, validFrom=5, validTo=10).tx
    world.version("cap", "It will be €3m.", validFrom=10)
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", tx, "€2m")], valid_time=at))
    assert world.status(answer_id) is Status.CURRENT
    world.clock.at += WEEK
    assert swept(world) is wins


def withdrawn(world: World) -> None:
    world.ask("cap")
    world.clarify("withdrawn")


def released(world: World) -> None:
    tx = world.version("cap", CAP).tx
    world.release(world.override("cap", bind=tx).override_id)


def observed_in_time(world: World) -> None:
    """Its newest tx is the very instant of the sweep."""
    world.clock.at += WEEK
    world.version("cap", CAP)
    world.clock.at -= WEEK


@pytest.mark.parametrize("happens", [withdrawn, released, observed_in_time])
def test_what_is_over_is_no_reason_to_read_anything(
    world: World, happens: Callable[[World], None]
) -> None:
    saved = world.two_claims()
    happens(world)
    world.check(saved.answer_id)
    world.clock.at += WEEK
    assert swept(world)
    assert agrees_with_a_check(world, saved.answer_id)


def test_what_ends_at_this_very_instant_is_checked(world: World) -> None:
    ends = world.clock.now() + WEEK
    tx = world.version("cap", CAP, validTo=ends).tx
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", tx, "€2m")]))
    world.clock.at = ends
    assert not swept(world)
    shown = world.show(answer_id)
    assert (shown.status, shown.recheck_due_at) == (Status.STALE, ends + WEEK)


def test_beside_a_clock_that_went_back_nothing_is_confirmed(world: World) -> None:
    """What was seen at a later tx is judged then, and something runs out before."""
    window = {"validFrom": 1, "validTo": world.clock.now() + 2 * WEEK}
    tx = world.version("cap", CAP, **window).tx
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", tx, "€2m")]))
    world.clock.at += WEEK
    back = world.clock.at
    world.clock.at += 3 * WEEK
    assert world.version("cap", CAP, **window).outcome == "observed"
    world.clock.at = back
    assert not swept(world)
    assert world.status(answer_id) is Status.STALE
    assert agrees_with_a_check(world, answer_id)


def confirmed(world: World, answer_id: str) -> list[str]:
    """Confirm what a job says whose answer changed after it was read."""
    lease = world.leased()
    now, max_age = world.clock.now(), WEEK
    told = confirm_unmoved(world.store, world.tenant, [answer_id], lease, now=now, max_age=max_age)
    return [each.answer_id for each in told]


def test_what_is_deleted_or_superseded_is_not_confirmed(world: World, graph: Graph) -> None:
    gone, old, new = (world.answer(Said(f"{n} is said.")) for n in range(3))
    world.clock.at += WEEK
    for _ in range(3):
        world.store.write(lambda tx: queue_check(tx, world.tenant, [new], now=world.clock.now()))
    world.delete(gone)
    supersede(world, graph, old, new)
    assert [confirmed(world, each) for each in (gone, old, new)] == [[], [], [new]]


def test_who_is_about_to_delete_an_answer_is_waited_for(
    world: World, graph: Graph, driver: Driver
) -> None:
    answer_id = world.answer(Said("Nothing is cited."))
    world.clock.at += WEEK
    world.due()
    given = {"tenant": world.tenant, "answer_id": answer_id, "at": 1}
    assert after_rival(driver, _DELETED, lambda: confirmed(world, answer_id), **given) == []
    graph.rows(_DELETED, world.tenant, answer_id=answer_id, at=None)


def test_without_its_lease_nothing_is_confirmed(world: World) -> None:
    saved = world.two_claims()
    world.clock.at += WEEK
    world.due()
    lease = world.leased(seconds=1)
    world.real.advance(2)
    other = world.leased()
    before = world.show(saved.answer_id)
    assert refused(lambda: run_job(world.rechecker(), lease)).code == "LEASE_LOST"
    assert world.show(saved.answer_id) == before
    assert len(run_job(world.rechecker(), other)) == 1


def test_a_pinned_claim_is_confirmed_whatever_happens_elsewhere_in_time(world: World) -> None:
    tx = world.version("cap", CAP, validFrom=1, validTo=world.clock.now() + DAY).tx
    answer_id = world.answer(Said("It is €2m.", [Cite("cap", tx, "€2m")], valid_time=5))
    world.clock.at += WEEK
    assert swept(world)
    assert agrees_with_a_check(world, answer_id)
