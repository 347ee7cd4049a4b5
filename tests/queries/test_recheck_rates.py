"""The rates of a deployment: re-checks that were needless, and changes that the watch missed."""

from collections.abc import Callable
from typing import Any

import pytest
from neo4j import Driver

from app.core.instants import DAY
from app.flow.audit import run_audit
from app.graph.audits import Neo4jAudits
from app.graph.store import Neo4jStore
from tests.builders import NOON, Cite, Said, World

Rates = Callable[[], dict[str, tuple[int, ...]]]

AGE = 8 * 86_400  # past the age at which every answer is due


@pytest.fixture
def world(store: Neo4jStore) -> World:
    return World(store)


@pytest.fixture
def rows(driver: Driver, world: World) -> Callable[..., list[dict[str, Any]]]:
    audits = Neo4jAudits(driver)

    def asked(**given: int) -> list[dict[str, Any]]:
        window = {"from": 0, "until": 9 * 10**15} | given
        return run_audit(audits, world.tenant, "recheck_rates", window, now=NOON)

    return asked


@pytest.fixture
def rates(rows: Callable[..., list[dict[str, Any]]]) -> Rates:
    """Checks, needless ones, state changes and missed ones, by cause."""
    names = ("checks", "needless", "state_changes", "watch_missed")
    return lambda: {row["why"]: tuple(row[name] for name in names) for row in rows()}


def resting(world: World, **stated: Any) -> str:
    tx = world.version("cap", "The cap is €2m.", **stated).tx
    answer_id = world.answer(Said("The cap is €2m.", [Cite("cap", tx, "€2m")]))
    world.clock.advance(1)
    return answer_id


def plant(driver: Driver, world: World, text: str) -> None:
    summary = driver.execute_query(text, tenant=world.tenant).summary
    assert summary.counters.nodes_deleted == 1


LOSE_JOB = "MATCH (j:Job {tenant: $tenant, state: 'open'}) DETACH DELETE j"
LOSE_CHANGE = "MATCH (c:Change {tenant: $tenant, state: 'open'}) DETACH DELETE c"


# Needless


def test_a_first_check_is_no_re_check(world: World, rates: Rates) -> None:
    resting(world)
    assert rates() == {}


def test_a_change_where_no_claim_looks_is_needless(world: World, rates: Rates) -> None:
    resting(world)
    world.version("cap", "Long ago.", validFrom=0, validTo=1)
    world.settle()
    assert rates() == {"change": (1, 1, 0, 0), "all": (1, 1, 0, 0)}


def test_a_change_that_moves_the_due_time_is_not_needless(world: World, rates: Rates) -> None:
    resting(world)
    world.version("cap", "The cap will be €5m.", validFrom=NOON + DAY)
    world.settle()
    assert rates()["change"] == (1, 0, 0, 0)


def test_a_change_that_moves_the_answer_is_neither(world: World, rates: Rates) -> None:
    resting(world)
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert rates()["change"] == (1, 0, 1, 0)


def test_a_caveat_that_appears_is_a_change(world: World, rates: Rates) -> None:
    resting(world)
    world.version("sky", "It is blue.")
    world.ask("cap")
    world.clock.advance(AGE)
    world.due()
    world.settle()
    assert rates()["due"] == (1, 0, 0, 0)


def test_a_sweep_that_finds_nothing_is_counted_apart(world: World, rates: Rates) -> None:
    resting(world)
    world.version("cap", "Long ago.", validFrom=0, validTo=1)
    world.settle()
    world.clock.advance(AGE)
    world.due()
    world.settle()
    assert rates() == {"change": (1, 1, 0, 0), "due": (1, 1, 0, 0), "all": (2, 2, 0, 0)}


# Missed by the watch


def test_what_dispatch_forgot_and_the_sweep_found_was_missed(
    world: World, rows: Callable[..., list[dict[str, Any]]], driver: Driver
) -> None:
    answer_id = resting(world)
    world.version("cap", "The cap is €5m.")
    world.dispatch()
    plant(driver, world, LOSE_JOB)
    world.clock.advance(AGE)
    world.due()
    world.settle()
    row, total = rows()
    assert (row["why"], row["watch_missed"], row["watch_missed_rate"]) == ("due", 1, 1.0)
    assert (total["why"], total["answers"]) == ("all", [answer_id])
    [path] = row["paths"]
    assert path[0]["properties"]["answer_id"] == answer_id
    assert path[-1]["properties"]["what"] == "version"
    assert rows(until=NOON) == []


def test_a_change_that_was_never_noted_was_missed(
    world: World, rates: Rates, driver: Driver
) -> None:
    resting(world)
    world.version("cap", "The cap is €5m.")
    plant(driver, world, LOSE_CHANGE)
    world.clock.advance(AGE)
    world.due()
    world.settle()
    assert rates()["due"] == (1, 0, 1, 1)


def test_what_another_change_brought_to_light_was_missed_too(
    world: World, rates: Rates, driver: Driver
) -> None:
    resting(world)
    world.version("cap", "The cap is €5m.")
    world.dispatch()
    plant(driver, world, LOSE_JOB)
    world.clock.advance(1)
    world.version("cap", "Long ago.", validFrom=0, validTo=1)
    world.settle()
    assert rates()["change"] == (1, 0, 1, 1)


def test_a_sweep_that_overtakes_an_open_change_missed_nothing(world: World, rates: Rates) -> None:
    resting(world)
    world.clock.advance(AGE)
    world.version("cap", "The cap is €5m.")
    world.due()
    world.run_jobs()
    world.settle()
    assert rates() == {"due": (1, 0, 1, 0), "all": (1, 0, 1, 0)}


def test_a_sweep_that_overtakes_a_waiting_job_missed_nothing(world: World, rates: Rates) -> None:
    resting(world)
    world.clock.advance(AGE)
    world.version("cap", "The cap is €5m.")
    world.dispatch()
    waiting = world.leased()
    world.due()
    world.run_jobs()
    assert waiting.wanted(world.store) == []
    assert rates()["due"] == (1, 0, 1, 0)


def test_what_expires_by_the_clock_was_not_missed(world: World, rates: Rates) -> None:
    resting(world, validFrom=NOON - DAY, validTo=NOON + DAY)
    world.clock.advance(86_400)
    world.due()
    world.settle()
    assert rates()["due"] == (1, 0, 1, 0)


def test_checks_of_a_while_ago_are_left_out(
    world: World, rows: Callable[..., list[dict[str, Any]]]
) -> None:
    resting(world)
    world.version("cap", "The cap is €5m.")
    world.settle()
    at = world.clock.at
    assert [row["checks"] for row in rows(**{"from": at, "until": at + 1})] == [1, 1]
    assert rows(**{"from": at + 1}) == rows(until=at) == []
