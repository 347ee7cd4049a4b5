"""Request ids: a repeat is the first result again, another body is refused (DESIGN §6.5)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.payloads.base import Payload
from tests.builders import NOON, Said, World, refused
from tests.dumps import Graph
from tests.flow.conftest import Stores, Worlds


def every_operation(world: World) -> dict[str, Callable[..., Payload]]:
    """Return each operation that takes a request id, ready to be done once."""
    world.version("cap", "€1m", tx=5)
    world.version("sky", "blue", tx=5)
    world.version("old", "gone", tx=5)
    world.ask("cap", "q1")
    released = world.override("sky", bind=5).override_id
    trace_id = world.trace(Said("a")).trace_id
    deleted = world.saved(Said("b"))
    body = world.trace_body([Said("c")])
    return {
        "ingest_version": lambda **r: world.version("cap", "€2m", **r),
        "ingest_end": lambda **r: world.end("sky", **r),
        "withdraw_version": lambda **r: world.withdraw("sky", 5, **r),
        "cascade_source": lambda **r: world.cascade("old", **r),
        "set_override": lambda **r: world.override("cap", text="own", **r),
        "release_override": lambda **r: world.release(released, **r),
        "clarify": lambda **r: world.clarify("bound", "q1", text="x", **r),
        "add_trace": lambda **r: world.add(body | r),
        "save_answer": lambda **r: world.save(trace_id, **r),
        "delete_answer": lambda **r: world.delete(deleted, **r),
    }


OPERATIONS = (
    "ingest_version",
    "ingest_end",
    "withdraw_version",
    "cascade_source",
    "set_override",
    "release_override",
    "clarify",
    "add_trace",
    "save_answer",
    "delete_answer",
)


def without_created(result: Payload) -> dict[str, object]:
    return result.model_dump(exclude={"created"})


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_same_request_again_is_the_first_result_and_has_no_effect(
    world: World, graph: Graph, operation: str
) -> None:
    do = every_operation(world)[operation]
    first = do(requestId="r1")
    before = graph.dump(world.tenant)
    world.clock.advance(60)
    assert without_created(do(requestId="r1")) == without_created(first)
    assert graph.dump(world.tenant) == before
    assert graph.count(world.tenant, "Request") == 1


def test_another_body_under_a_used_id_is_refused(world: World, graph: Graph) -> None:
    world.version("cap", "€2m", requestId="r1")
    before = graph.dump(world.tenant)
    refusal = refused(lambda: world.version("cap", "€5m", requestId="r1"))
    assert (refusal.code, refusal.field) == ("REQUEST_ID_REUSED", "requestId")
    assert graph.dump(world.tenant) == before


def test_a_refused_call_leaves_its_id_free(world: World) -> None:
    refused(lambda: world.version("cap", "a", validFrom=9, validTo=9, requestId="r1"))
    assert world.version("cap", "a", validFrom=9, requestId="r1").outcome == "stored"


def test_an_id_belongs_to_one_tenant_and_one_operation(worlds: Worlds) -> None:
    world, other = worlds(), worlds()
    world.version("cap", "€2m", requestId="r1")
    assert other.version("cap", "€5m", requestId="r1").outcome == "stored"
    assert world.end("cap", requestId="r1").outcome == "stored"


def test_eight_of_one_request_at_once_are_one(world: World, graph: Graph, stores: Stores) -> None:
    for nth in range(5):
        own = [world.on(stores()) for _ in range(8)]
        with ThreadPoolExecutor(8) as pool:
            told = list(
                pool.map(
                    lambda each, nth=nth: each.version("cap", f"v{nth}", requestId=f"r{nth}"), own
                )
            )
        assert len({str(each) for each in told}) == 1
    assert graph.count(world.tenant, "SourceVersion") == 5


def test_a_redelivered_version_gets_the_tx_that_it_was_given(world: World) -> None:
    first = world.version("cap", "€2m", requestId="r1")
    world.version("cap", "€5m")
    world.clock.advance(60)
    again = world.version("cap", "€2m", requestId="r1")
    assert again.tx == first.tx == NOON
