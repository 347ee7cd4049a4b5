"""The ledger: reserved before the call, under a lock; nothing is called over the cap."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.config import ModelsSettings
from app.core.errors import LimitReached, Unavailable
from app.flow.ledger import Ledger, Used, day_of
from app.graph.queries.ledger import READ_SPEND, SpendRow
from tests.builders import NOON, World, refused
from tests.dumps import Graph
from tests.fakes import WordEmbedder
from tests.flow.conftest import Stores


def ledger(world: World, **caps: int) -> Ledger:
    return Ledger(world.store, world.clock, ModelsSettings.model_validate(caps), world.tenant)


def spent(world: World, since: int = 0) -> list[SpendRow]:
    return world.store.read(READ_SPEND, tenant=world.tenant, since=since, page=10)


def test_what_a_call_used_takes_the_place_of_what_was_reserved(world: World) -> None:
    during: list[SpendRow] = []

    def call() -> Used:
        during.extend(spent(world))
        return Used(30, cost_micros=7)

    ledger(world).spend(100, call)
    assert during == [SpendRow(20260301, 100, 0, 0)]
    assert spent(world) == [SpendRow(20260301, 30, 0, 7)]


def test_a_call_over_the_cap_is_not_made_and_nothing_is_written(world: World, graph: Graph) -> None:
    made = ledger(world, max_tokens_per_day=100)
    made.spend(60, lambda: Used(60))
    before = graph.dump(world.tenant)
    refusal = refused(lambda: made.spend(41, lambda: pytest.fail("it was called")))
    assert isinstance(refusal, LimitReached)
    assert refusal.code == "COST_CAP_EXCEEDED"
    assert graph.dump(world.tenant) == before
    made.spend(40, lambda: Used(40))
    world.clock.advance(86_400)
    made.spend(100, lambda: Used(100))
    assert [row.tokens for row in spent(world)] == [100, 100]
    assert [row.tokens for row in spent(world, since=spent(world)[0].day)] == [100]


def test_a_first_call_over_the_cap_leaves_no_day(world: World) -> None:
    made = ledger(world, max_tokens_per_day=10)
    assert refused(lambda: made.spend(11, lambda: Used(1))).code == "COST_CAP_EXCEEDED"
    assert spent(world) == []


@pytest.mark.parametrize(
    ("code", "kept"),
    [("GENERATOR_UNAVAILABLE", 0), ("GENERATOR_REFUSED", 0), ("GENERATOR_UNREADABLE", 100)],
)
def test_a_failed_call_gives_back_what_was_reserved_unless_the_model_answered(
    world: World, code: str, kept: int
) -> None:
    def call() -> Used:
        raise Unavailable(code, "fails")

    assert refused(lambda: ledger(world).spend(100, call)).code == code
    assert [row.tokens for row in spent(world)] == [kept]


def test_a_caller_that_dies_leaves_its_reservation_counted(world: World) -> None:
    def call() -> Used:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ledger(world).spend(100, call)
    assert [row.tokens for row in spent(world)] == [100]


def test_calls_at_once_never_exceed_the_cap(world: World, stores: Stores) -> None:
    def one(_: int) -> int:
        made = ledger(world.on(stores()), max_tokens_per_day=50)
        try:
            return made.spend(10, lambda: Used(10)).tokens
        except LimitReached:
            return 0

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(16))) == 50
    assert [row.tokens for row in spent(world)] == [50]


def test_a_model_that_costs_nothing_is_not_counted_and_has_no_cap(world: World) -> None:
    made = ledger(world, max_embeddings_per_day=1)
    made.embed(WordEmbedder(metered=False), ["a", "b"])
    assert spent(world) == []
    made.embed(WordEmbedder(), ["c"])
    assert refused(lambda: made.embed(WordEmbedder(), ["d"])).code == "COST_CAP_EXCEEDED"


def test_a_failed_embedding_is_not_counted(world: World) -> None:
    failing = WordEmbedder(fails="MODEL_UNAVAILABLE")
    assert refused(lambda: ledger(world).embed(failing, ["a"])).code == "MODEL_UNAVAILABLE"
    assert [row.embeddings for row in spent(world)] == [0]


def test_tenants_have_days_of_their_own(world: World) -> None:
    ledger(world, max_tokens_per_day=10).spend(10, lambda: Used(10))
    other = World(world.store)
    ledger(other, max_tokens_per_day=10).spend(10, lambda: Used(10))


def test_a_day_is_one_of_utc() -> None:
    assert day_of(NOON) == 20260301
    assert (day_of(NOON + 43_200_000_000 - 1), day_of(NOON + 43_200_000_000)) == (
        20260301,
        20260302,
    )
