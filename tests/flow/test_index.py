"""The index: chunks of what wins somewhere, each content embedded once, whatever is interrupted."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from neo4j import Driver

from app.config import ModelsSettings
from app.core.errors import Unavailable
from app.core.instants import HOUR, SECOND
from app.core.values import source_key
from app.flow.index import tenants_waiting
from app.graph.queries.index import CLOSE_INDEX, DROP_LOST, OPEN_INDEX, UNLINK_CHUNKS
from tests.builders import CAP, NOON, World
from tests.dumps import Graph
from tests.fakes import Broken, FailingStore, PausedStore, WordEmbedder
from tests.flow.conftest import Stores
from tests.flow.rivals import after_rival

if TYPE_CHECKING:
    from app.payloads.generate import Indexed

HELD = """
MATCH (v:SourceVersion)-[h:HOLDS]->(c:Chunk) WHERE v.tenant = $tenant AND v.source_key > ''
RETURN v.source_id AS source, v.tx AS tx, substring(v.text, h.start, h.end - h.start) AS span,
       c.text AS text, c.embedding IS NOT NULL AS embedded
ORDER BY source, tx, h.start
"""

_OPENED = """
MATCH (x:ChunkIndex {tenant: $tenant}) SET x.lease_token = 'rival', x.leased_until = $until
"""


_MADE = """
MATCH (x:ChunkIndex {tenant: $tenant}) SET x.locked_by = 'rival'
WITH x MATCH (v:SourceVersion) WHERE v.tenant = $tenant AND v.source_key > ''
SET v.chunked_by = $made_by
"""


def key(world: World) -> str:
    return source_key(world.tenant, "cap")


def held(graph: Graph, world: World) -> list[tuple[str, int, str]]:
    rows = graph.rows(HELD, world.tenant)
    assert all(row["span"] == row["text"] for row in rows)
    return [(row["source"], row["tx"], row["text"]) for row in rows]


@pytest.fixture
def embedding(world: World) -> WordEmbedder:
    world.embedder = WordEmbedder()
    return world.embedder


def test_a_write_lets_its_source_wait_until_a_run(world: World, graph: Graph) -> None:
    tx = world.version("cap", CAP).tx
    world.clock.advance(7)
    lag = world.indexer().lag()
    assert (lag.sources, lag.oldest) == (1, 7 * SECOND)
    assert world.tenant in tenants_waiting(world.store)
    assert world.indexer().status().lag.versions == 1

    assert world.index().versions == 1

    assert held(graph, world) == [("cap", tx, CAP)]
    assert (world.indexer().lag().sources, world.indexer().lag().oldest) == (0, None)
    assert world.tenant not in tenants_waiting(world.store)


def test_running_again_does_nothing(world: World, graph: Graph) -> None:
    world.version("cap", CAP)
    world.index()
    before = graph.dump(world.tenant)
    assert world.index().versions == 0
    assert world.index(anew=True).versions == 0
    assert graph.dump(world.tenant) == before


def test_a_content_is_embedded_once(world: World, embedding: WordEmbedder, graph: Graph) -> None:
    world.version("cap", CAP)
    world.version("copy", CAP)
    assert world.index().embedded == 1
    world.clock.advance(1)
    world.version("third", CAP)
    assert world.index().embedded == 0
    assert embedding.embedded == [CAP]
    assert [row["embedded"] for row in graph.rows(HELD, world.tenant)] == [True] * 3


def test_versions_of_a_source_share_the_chunks_that_they_have_in_common(
    world: World, graph: Graph, embedding: WordEmbedder
) -> None:
    old, new = (
        "# One\n\nIt stays.\n\n# Two\n\nIt is old.",
        "# One\n\nIt stays.\n\n# Two\n\nIt is new.",
    )
    world.version("doc", old)
    world.clock.advance(1)
    world.version("doc", new)
    world.index()
    assert len(held(graph, world)) == 4
    assert graph.count(world.tenant, "Chunk") == 3
    assert len(embedding.embedded) == 3


def test_what_wins_in_the_past_or_the_future_is_in_and_what_wins_nowhere_is_not(
    world: World, graph: Graph
) -> None:
    past = world.version("cap", "It was 1.", validFrom=NOON - 2 * HOUR).tx
    world.clock.advance(1)
    now = world.version("cap", "It is 2.", validFrom=NOON - HOUR).tx
    world.clock.advance(1)
    future = world.version("cap", "It will be 3.", validFrom=NOON + HOUR).tx
    world.index()
    assert {tx for _, tx, _ in held(graph, world)} == {past, now, future}

    world.withdraw("cap", now)
    world.clock.advance(1)
    dropped = world.index()

    assert dropped.dropped == 1
    assert {tx for _, tx, _ in held(graph, world)} == {past, future}
    assert graph.count(world.tenant, "Chunk") == 2


def test_what_wins_again_is_in_again(world: World, graph: Graph) -> None:
    world.version("cap", "It is 1.")
    world.clock.advance(1)
    override = world.override("cap", text="It is mine.", validFrom=0)
    world.index()
    assert [text for _, _, text in held(graph, world)] == ["It is mine."]
    world.release(override.override_id)
    world.index()
    assert [text for _, _, text in held(graph, world)] == ["It is 1."]


def test_offsets_count_code_points(world: World, graph: Graph) -> None:
    world.version("cap", "😀😀\n\n# Cap\n\nThe cap is €2m.")
    world.index()
    spans = graph.rows(
        "MATCH (v:SourceVersion)-[h:HOLDS]->(c) WHERE v.tenant = $tenant AND v.source_key > ''"
        " RETURN v.text AS text, h.start AS start, h.end AS end, c.text AS chunk",
        world.tenant,
    )
    assert len(spans) == 2
    assert all(row["text"][row["start"] : row["end"]] == row["chunk"] for row in spans)


@pytest.mark.parametrize("nth", range(1, 20))
def test_what_moves_during_a_run_is_in_or_waits_on(world: World, graph: Graph, nth: int) -> None:
    world.version("cap", "It is 1.")

    def overtake() -> None:
        world.clock.advance(1)
        world.version("cap", "It is 2.")

    paused = PausedStore(world.store, nth, overtake)
    world.on(paused).index()
    if paused.calls < nth:
        overtake()
    both = ["It is 1.", "It is 2."]
    assert world.indexer().lag().sources == 1 or [t for _, _, t in held(graph, world)] == both
    world.index()
    assert [text for _, _, text in held(graph, world)] == both
    assert world.indexer().lag().sources == 0


@pytest.mark.parametrize("nth", range(1, 30))
def test_a_run_that_fails_anywhere_is_resumed(
    world: World, graph: Graph, embedding: WordEmbedder, nth: int
) -> None:
    world.version("cap", CAP)
    world.version("sky", "The sky is blue.")
    failing = FailingStore(world.store, nth)
    try:
        world.on(failing).index()
    except Broken:
        assert failing.failed
    world.index()
    assert [text for _, _, text in held(graph, world)] == [CAP, "The sky is blue."]
    assert world.indexer().lag().sources == 0


def test_runs_at_once_are_one(
    world: World, graph: Graph, embedding: WordEmbedder, stores: Stores
) -> None:
    for nth in range(30):
        world.version(f"s{nth}", f"The number is {nth}.")
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: world.on(stores()).index(), range(4)))
    assert [each.busy for each in told].count(False) >= 1
    assert sorted(embedding.embedded) == sorted({f"The number is {nth}." for nth in range(30)})
    assert [text for _, _, text in sorted(held(graph, world), key=lambda row: int(row[0][1:]))] == [
        f"The number is {nth}." for nth in range(30)
    ]
    assert world.indexer().lag().sources == 0


@pytest.mark.parametrize("code", ["MODEL_UNAVAILABLE", "MODEL_REFUSED"])
def test_while_the_model_fails_texts_are_found_by_words_and_wait(
    world: World, graph: Graph, embedding: WordEmbedder, code: str
) -> None:
    world.version("cap", CAP)
    embedding.fails = code
    told = world.index()
    assert (told.failed, told.waiting, told.versions) == (code, 1, 1)
    assert held(graph, world)
    assert world.asked().claims[0].text == "The cap is €2m."
    assert not world.indexer().wanted()
    assert world.index().failed == code

    embedding.fails = None
    world.real.advance(3600)
    assert world.indexer().wanted()
    told = world.index()
    assert (told.failed, told.waiting, told.embedded) == (None, 0, 1)
    assert [row["embedded"] for row in graph.rows(HELD, world.tenant)] == [True]
    assert world.indexer().status().failures == 0
    assert not world.indexer().wanted()


def test_a_store_that_fails_is_no_failing_model(world: World, embedding: WordEmbedder) -> None:
    world.version("cap", CAP)
    with pytest.raises(Unavailable):
        world.on(FailingStore(world.store, 6)).index()
    assert world.indexer().status().failures == 0


def test_over_the_cap_texts_wait_for_the_next_day(
    world: World, embedding: WordEmbedder, graph: Graph
) -> None:
    world.models = ModelsSettings(max_embeddings_per_day=1)
    world.version("cap", CAP)
    world.index()
    world.version("sky", "The sky is blue.")
    assert world.index().failed == "COST_CAP_EXCEEDED"
    assert len(held(graph, world)) == 2
    world.clock.advance(24 * 3600)
    assert world.index().failed is None
    assert len(embedding.embedded) == 2


def test_another_model_lets_everything_wait_and_is_never_mixed_with_the_old(
    world: World, graph: Graph, embedding: WordEmbedder
) -> None:
    world.version("cap", CAP)
    world.index()
    other = replace(world, embedder=WordEmbedder(name="other"))
    assert other.indexer().lag().stale
    assert other.index().embedded == 1
    assert not other.indexer().lag().stale
    assert (
        graph.one("MATCH (c:Chunk {tenant: $tenant}) RETURN c.embedded_by", world.tenant) == "other"
    )


def test_sources_from_before_the_index_are_found(world: World, graph: Graph) -> None:
    world.version("cap", CAP)
    graph.rows("MATCH (s:Source {tenant: $tenant}) SET s.unindexed_since = null", world.tenant)
    assert world.indexer().lag().stale
    assert world.index().versions == 1


def test_an_end_and_an_empty_text_have_no_chunks(world: World, graph: Graph) -> None:
    world.version("cap", " \n ")
    world.clock.advance(1)
    world.end("cap")
    world.version("sky", "The sky is blue.")
    world.index()
    assert [source for source, _, _ in held(graph, world)] == ["sky"]
    assert world.indexer().lag().sources == 0


def test_while_another_has_the_lease_a_run_does_nothing(world: World, graph: Graph) -> None:
    world.version("cap", CAP)
    inner: list[Indexed] = []

    def go_on() -> bool:
        if not inner:
            inner.append(world.index())
        return True

    assert world.index(go_on=go_on).versions == 1
    assert [(each.busy, each.versions, each.waiting) for each in inner] == [(True, 0, 1)]
    graph.rows(
        "MATCH (x:ChunkIndex {tenant: $tenant})"
        " SET x.lease_token = 'dead', x.leased_until = $until",
        world.tenant,
        until=world.real.now() + 60 * SECOND,
    )
    world.version("sky", "The sky is blue.")
    assert world.index().busy
    world.real.advance(61)
    assert world.index().versions == 1


def test_a_lease_ends_at_its_very_end_and_whoever_has_it_renews_it(world: World) -> None:
    def opened(token: str, now: int) -> bool:
        given = {"tenant": world.tenant, "token": token, "now": now, "until": now + 10}
        [row] = world.store.write(lambda tx: tx.run(OPEN_INDEX, **given))
        return row.mine

    asked = [("a", 100), ("b", 109), ("a", 105), ("b", 114), ("b", 115), ("a", 124), ("a", 125)]
    assert [opened(*each) for each in asked] == [True, False, True, False, True, False, True]


def test_who_has_lost_the_lease_of_an_index_ends_no_others(world: World, driver: Driver) -> None:
    world.version("cap", CAP)
    world.index()
    mine = {"tenant": world.tenant, "token": "mine"}
    world.store.write(lambda tx: tx.run(OPEN_INDEX, **mine, now=NOON, until=NOON + HOUR))
    rival = {"tenant": world.tenant, "until": NOON + HOUR}
    close = partial(world.store.write, lambda tx: tx.run(CLOSE_INDEX, **mine))
    after_rival(driver, _OPENED, close, **rival)
    world.real.at = NOON
    assert world.index().busy


def test_what_another_run_made_meanwhile_is_left_out(world: World, driver: Driver) -> None:
    tx = world.version("cap", CAP).tx
    world.index()
    given = {"tenant": world.tenant, "versions": [{"source_key": key(world), "tx": tx}]}
    rival = {"tenant": world.tenant, "made_by": "this"}
    asked = given | {"made_by": ["this"], "token": "mine"}
    unlink = partial(world.store.write, lambda tx: tx.run(UNLINK_CHUNKS, **asked))
    assert after_rival(driver, _MADE, unlink, **rival) == []


def test_who_drops_what_was_lost_waits_for_who_makes_chunks(world: World, driver: Driver) -> None:
    tx = world.version("cap", CAP).tx
    world.index()
    world.version("cap", "€5m", corrects=tx)
    given = {"tenant": world.tenant, "source_keys": [key(world)], "page": 10, "token": "mine"}
    drop = partial(world.store.write, lambda tx: tx.run(DROP_LOST, **given))
    [row] = after_rival(driver, _OPENED, drop, tenant=world.tenant, until=NOON)
    assert row.dropped == 1


def test_only_versions_that_have_no_chunks_yet_are_told_to_wait(world: World) -> None:
    world.version("cap", CAP)
    world.index()
    world.clock.advance(10)
    world.version("cap", "€5m")
    assert world.indexer().status().lag.versions == 1


def test_progress_is_told(world: World) -> None:
    for nth in range(3):
        world.version(f"s{nth}", "It is.")
    told: list[tuple[int, int]] = []
    world.index(progress=lambda done, total: told.append((done, total)))
    assert told == [(3, 3)]


def test_who_opens_an_index_waits_for_who_is_opening_it(
    world: World, driver: Driver, embedding: WordEmbedder
) -> None:
    world.version("cap", CAP)
    world.index()
    until = world.real.now() + HOUR
    assert after_rival(driver, _OPENED, world.index, tenant=world.tenant, until=until).busy
