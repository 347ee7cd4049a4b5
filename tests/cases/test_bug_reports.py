"""What went wrong in other systems, tried on ours: each as a test of the whole kind."""

import threading
from collections.abc import Callable
from typing import TypeVar

import pytest
from neo4j import Driver

from app.core.errors import Conflict, TelhaError
from app.core.instants import FOREVER, instant
from app.core.states import Status
from app.flow.sources import list_versions, read_winner
from app.graph.store import Neo4jStore
from tests.builders import NOON, Cite, Said, World, refused

T = TypeVar("T")


@pytest.fixture
def world(store: Neo4jStore) -> World:
    return World(store)


def at_once(calls: list[Callable[[], T]]) -> list[T | TelhaError]:
    """Run the calls at a barrier; return each one's result or refusal."""
    barrier = threading.Barrier(len(calls))
    results: list[T | TelhaError] = []

    def run(call: Callable[[], T]) -> None:
        barrier.wait()
        try:
            results.append(call())
        except TelhaError as refusal:
            results.append(refusal)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_g1_the_same_request_sixteen_times_at_once_is_one(world: World, driver: Driver) -> None:
    stores = [Neo4jStore(driver) for _ in range(4)]
    for n in range(5):
        told = at_once(
            [
                lambda store=stores[i % 4], n=n: world.on(store).version(  # type: ignore[misc]
                    f"handbook-{n}", "Same.", tx=NOON - 5, requestId=f"r{n}"
                )
                for i in range(16)
            ]
        )
        assert len({str(each) for each in told}) == 1
        assert len(list_versions(world.store, world.tenant, f"handbook-{n}")) == 1
        trace_id = world.trace(
            Said("a", [Cite(f"handbook-{n}", NOON - 5, "Same")]), Said("b")
        ).trace_id
        saved = at_once(
            [
                lambda store=stores[i % 4], n=n, t=trace_id: world.on(store).save(  # type: ignore[misc]
                    t, requestId=f"s{n}"
                )
                for i in range(16)
            ]
        )
        assert len({each.answer_id for each in saved}) == 1  # type: ignore[union-attr]
        assert len(world.listed().answers) == n + 1


def test_g2_changes_of_two_sources_in_either_order_never_fail(world: World, driver: Driver) -> None:
    one, two = world.version("one", "It is 0.").tx, world.version("two", "It is 0.").tx
    both = [Cite("one", one, "0"), Cite("two", two, "0")]
    answers = [world.answer(Said("a", both)), world.answer(Said("b", both[::-1]))]
    for n in range(1, 15):
        world.clock.advance(1)
        mine = [world.on(Neo4jStore(driver)) for _ in range(4)]
        told = at_once(
            [
                lambda: mine[0].version("one", f"It is {n}."),  # noqa: B023
                lambda: mine[1].version("two", f"It is {n}."),  # noqa: B023
                mine[2].settle,
                mine[3].settle,
            ]
        )
        assert not [each for each in told if isinstance(each, TelhaError)]
        world.settle()
    for answer in answers:
        assert world.status(answer) is Status.STALE


@pytest.mark.parametrize("key", ["x" * 8_164, "x" * 8_165, "é" * 4_100, "x" * 4_097])
def test_g4_a_key_over_the_documented_length_is_refused_by_name(world: World, key: str) -> None:
    refusal = refused(lambda: world.version(key, "A."))
    assert "KEY_TOO_LONG" in str(refusal)
    assert "sourceId" in str(refusal) or "source_id" in str(refusal)


@pytest.mark.parametrize("key", ["x" * 4_096, "é" * 2_048, "a/b c:d?#%"])
def test_g4_a_key_within_it_works_to_the_end(world: World, key: str) -> None:
    cited = world.version(key, "It is so.").tx
    answer = world.answer(Said("x" * 20_000, [Cite(key, cited, "so")]))
    world.clock.advance(1)
    world.version(key, "It is not.")
    world.settle()
    assert world.status(answer) is Status.STALE


def test_g5_microseconds_are_kept_to_the_digit(world: World) -> None:
    for given, kept in (
        ("2026-01-01T00:00:00.000007Z", 1767225600000007),
        (1767225600123456, 1767225600123456),
        (1767225600123789, 1767225600123789),
    ):
        assert world.version("clock", f"At {given}", validFrom=given).valid_from == kept
    assert read_winner(world.store, world.tenant, "clock", at=1767225600123789).tx is not None
    earlier = read_winner(world.store, world.tenant, "clock", at=1767225600123500)
    assert earlier.valid_from == 1767225600123456
    assert world.version("far", "A.", validTo=8999999999999999).valid_to == 8999999999999999
    for bad in (9007199254740993, 2**63, 1767225600000007.0, "1.7672256e15", FOREVER, -1, True):
        assert "INSTANT" in str(refused(lambda bad=bad: world.version("far", "B.", validFrom=bad)))  # type: ignore[misc]


def test_g8_no_read_crosses_the_tenant(store: Neo4jStore) -> None:
    acme, globex = World(store), World(store)
    ours, theirs = acme.two_claims(), globex.two_claims()
    globex.clock.advance(1)
    globex.version("cap", "The cap is €9m.")
    assert acme.settle() == []
    globex.settle()
    assert acme.status(ours.answer_id) is Status.CURRENT
    assert globex.status(theirs.answer_id) is Status.PARTIALLY_STALE
    assert {row.answer_id for row in acme.listed().answers} == {ours.answer_id}
    assert acme.events() == []
    assert refused(lambda: acme.show(theirs.answer_id)).code == "ANSWER_NOT_FOUND"
    for nobody in ("", "a b", "*", "x" * 65):
        assert "TENANT_INVALID" in str(refused(lambda t=nobody: World(store, t).version("cap")))  # type: ignore[misc]


def test_g9_an_older_version_that_arrives_last_displaces_nothing(world: World) -> None:
    eight, nine, ten, eleven = (
        instant(f"2026-03-01T{hour:02}:00:00Z", field="hour") for hour in (8, 9, 10, 11)
    )
    world.version("price-list", "€9", tx=eight)
    world.version("price-list", "€12", tx=eleven)
    answer = world.answer(Said("It is €12.", [Cite("price-list", eleven, "€12")]))
    late = world.version("price-list", "€10", tx=nine)
    assert (late.wins_now, late.why_not) == (False, "newer_version")
    world.settle()
    assert world.status(answer) is Status.CURRENT
    assert world.close_windows().emitted == 0

    assert read_winner(world.store, world.tenant, "price-list", at=ten).text == "€10"
    assert read_winner(world.store, world.tenant, "price-list", at=NOON).text == "€12"
    stale = world.answer(Said("It is €10.", [Cite("price-list", nine, "€10")]))
    assert world.status(stale) is Status.STALE
    assert isinstance(refused(lambda: world.version("price-list", "€13", tx=eleven)), Conflict)
    texts = [v.tx for v in list_versions(world.store, world.tenant, "price-list")]
    assert texts == [eleven, nine, eight]


def test_g10_deleting_for_one_owner_leaves_the_other(store: Neo4jStore) -> None:
    acme, globex = World(store), World(store)
    answers = []
    for world in (acme, globex):
        faq = world.version("shared-faq", "Yes, always.").tx
        answers.append(world.answer(Said("Yes.", [Cite("shared-faq", faq, "Yes")])))
    acme.cascade("shared-faq")
    acme.settle()
    globex.settle()
    assert acme.status(answers[0]) is Status.INVALIDATED
    assert globex.status(answers[1]) is Status.CURRENT
    assert read_winner(store, globex.tenant, "shared-faq", at=NOON).text == "Yes, always."


def test_g18_line_endings_and_blanks_are_kept_and_quotes_compared_gently(world: World) -> None:
    text = "Terms\r\nFee: €2m\r\nEnd"
    fee = world.version("fee", text)
    assert read_winner(world.store, world.tenant, "fee", at=NOON).text == text
    answer = world.answer(Said("€2m", [Cite("fee", fee.tx, "€2m")]))
    world.clock.advance(1)
    world.version("fee", text.replace("\r\n", "\n").replace("€2m", "€3m"))
    world.settle()
    assert world.status(answer) is Status.STALE

    spaced = "The fee\u00a0cap is\u2009€2\u202f000\u202f000."
    cap = world.version("cap", spaced).tx
    body = world.trace_body([Said("cap")])
    evidence = {"sourceId": "cap", "sourceVersionTx": cap, "start": 4, "end": 25}
    body["claims"][0]["evidence"] = [evidence | {"quote": "fee cap is €2 000 000"}]
    assert world.add(body).created
    body["claims"][0]["evidence"] = [evidence | {"quote": "fee cap is €2 000 001"}]
    assert "quote" in str(refused(lambda: world.add(body)))
