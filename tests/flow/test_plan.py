"""Plans: only what wins then, only of the tenant, the same again, and enough of it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from neo4j import Driver
from numpy.typing import NDArray

from app.core.errors import InvalidInput
from app.core.instants import HOUR, MINUTE
from app.core.retrieval import Place
from app.flow import plan as planning
from app.flow.plan import Asked, Plan, Planner
from tests.builders import CAP, NOON, World, refused
from tests.fakes import WordEmbedder
from tests.flow.conftest import Worlds
from tests.queries.test_hot_plans import Profiling, hits

EMBEDDED = pytest.mark.parametrize("embedded", [False, True], ids=["words", "hybrid"])


def plan(world: World, question: str, *source_ids: str, at: int | None = None) -> Plan:
    planner = Planner(world.store, world.clock, world.embedder, world.models)
    at = world.clock.at if at is None else at
    return planner.plan(Asked(world.tenant, question, at, source_ids))


def found(world: World, question: str, *source_ids: str, at: int | None = None) -> list[str]:
    return [each.text for each in plan(world, question, *source_ids, at=at).passages]


class Synonyms(WordEmbedder):
    """Knows that a ceiling is a cap."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return super().embed([text.replace("ceiling", "cap") for text in texts])


@pytest.fixture
def rates(world: World, request: pytest.FixtureRequest) -> World:
    """Rates that were, are, and will be, beside another source."""
    if request.param:
        world.embedder = WordEmbedder()
    for text, start in (("The rate is 16.", -2), ("The rate is 19.", -1), ("The rate is 21.", 1)):
        world.version("rates", text, validFrom=NOON + start * HOUR)
        world.clock.advance(1)
    world.version("sky", "The sky is blue.")
    world.index()
    return world


HYBRID = pytest.mark.parametrize("rates", [False, True], indirect=True, ids=["words", "hybrid"])


@HYBRID
@pytest.mark.parametrize(
    ("hours", "best"),
    [(-3, None), (-2, "The rate is 16."), (0.5, "The rate is 19."), (2, "The rate is 21.")],
)
def test_only_what_wins_at_the_instant_is_found(
    rates: World, hours: float, best: str | None
) -> None:
    told = found(rates, "What is the rate?", at=NOON + int(hours * HOUR))
    assert [text for text in told if text.startswith("The rate")] == ([best] if best else [])


@pytest.mark.parametrize("by", ["words", "exact ranking", "index"])
def test_what_has_expired_or_ended_is_not_found(
    world: World, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.embedder = world.embedder if by == "words" else WordEmbedder()
    if by == "index":
        monkeypatch.setattr(planning, "_EXACT", 1)
        monkeypatch.setattr(planning, "_EACH", 1)
    world.version("offer", "The offer is 5.", validFrom=NOON - 2 * HOUR, validTo=NOON - HOUR)
    world.version("rule", "The offer is 6.", validFrom=NOON - 2 * HOUR)
    world.clock.advance(1)
    world.end("rule", validFrom=NOON - HOUR)
    world.index()
    assert found(world, "What is the offer?", at=NOON - 90 * MINUTE)
    assert found(world, "What is the offer?") == []
    assert found(world, "What is the offer?", "offer", "rule") == []


@HYBRID
def test_only_the_sources_that_are_named_are_sought(rates: World) -> None:
    assert found(rates, "rate sky blue", "sky") == ["The sky is blue."]
    assert set(found(rates, "rate sky blue", "sky", "rates")) == {
        "The sky is blue.",
        "The rate is 19.",
    }


def test_a_source_that_the_tenant_does_not_have_is_refused(worlds: Worlds) -> None:
    one, other = worlds(), worlds()
    one.version("mine", CAP)
    other.version("theirs", CAP)
    refusal = refused(lambda: plan(one, "cap", "theirs", "mine", "nobody's"))
    assert isinstance(refusal, InvalidInput)
    assert refusal.code == "SOURCE_UNKNOWN"
    assert [problem.field for problem in refusal.problems] == ["sourceIds[0]", "sourceIds[2]"]


@EMBEDDED
def test_no_text_of_another_tenant_is_found(worlds: Worlds, embedded: bool) -> None:
    one, other = worlds(), worlds()
    for each in (one, other):
        each.embedder = WordEmbedder() if embedded else each.embedder
        each.version("same", f"The secret of {each.tenant} is the secret.")
        each.index()
    assert found(one, "What is the secret?") == [f"The secret of {one.tenant} is the secret."]
    assert found(other, "What is the secret?") == [f"The secret of {other.tenant} is the secret."]


@EMBEDDED
def test_hits_that_do_not_win_are_made_up_for(
    world: World, embedded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty former versions say it better than what wins: more is fetched until that is found."""
    monkeypatch.setattr(planning, "_EXACT", 10)
    world.embedder = WordEmbedder() if embedded else world.embedder
    for nth in range(60):
        world.version("old", f"The cap is the cap, number {nth}.", validFrom=NOON - HOUR + nth)
        world.clock.advance(1)
    world.version("old", "Nothing of the kind.")
    for nth in range(15):
        world.version(f"s{nth}", f"Some text in which the cap is mentioned, {nth} times.")
    world.index()
    told = found(world, "What is the cap?")
    assert len(told) == planning.MOST
    assert not any("number" in text for text in told)


def test_a_small_tenant_is_found_beside_a_big_one(
    worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of its vectors is among the nearest in the index: its own are ranked exactly."""
    monkeypatch.setattr(planning, "_EXACT", 1)
    monkeypatch.setattr(planning, "_NEAREST", (5, 10))
    big, small = worlds(), worlds()
    for each in (big, small):
        each.embedder = Synonyms()
    for nth in range(40):
        big.version(f"s{nth}", "The cap.")
    small.version("s", "A ceiling of glass.")
    big.index()
    small.index()
    assert found(small, "cap") == ["A ceiling of glass."]


@EMBEDDED
def test_the_same_question_gives_the_same_plan(world: World, embedded: bool) -> None:
    world.embedder = WordEmbedder() if embedded else world.embedder
    names = [f"s{nth}" for nth in range(20)]
    for name in names:
        world.version(name, "The cap is €2m.")
    world.index()
    first = plan(world, "What is the cap?")
    assert [each.source_id for each in first.passages] == sorted(names)[: planning.MOST]
    assert all(plan(world, "What is the cap?") == first for _ in range(5))


def test_by_meaning_is_found_what_words_do_not_find(world: World) -> None:
    world.embedder = Synonyms()
    world.version("a", "The ceiling is low.")
    world.version("b", "A house.")
    world.index()
    assert found(world, "cap")[0] == "The ceiling is low."


def test_while_the_model_fails_words_are_sought_with_a_warning(world: World) -> None:
    embedder = world.embedder = WordEmbedder()
    world.version("cap", CAP)
    world.index()
    embedder.fails = "MODEL_UNAVAILABLE"
    told = plan(world, "cap")
    assert [each.text for each in told.passages] == [CAP]
    assert told.warning == "found by words alone: MODEL_UNAVAILABLE"
    assert (told.embedding_model, told.embeddings) == (None, 0)


@pytest.mark.parametrize(
    "question", ['cap" OR *:*', "cap~9 AND NOT", "(cap", "cap\\", "scope_key:*", "?", "*", "^"]
)
def test_no_question_breaks_the_search(world: World, question: str) -> None:
    world.version("cap", CAP)
    world.index()
    assert found(world, question) in ([CAP], [])


def test_a_plan_costs_the_same_however_long_the_histories_are(
    worlds: Worlds, driver: Driver, tmp_path: Path
) -> None:
    """A chunk that 600 versions hold costs what one costs that 60 versions hold."""
    cost = []
    for length in (60, 600):
        world = worlds()
        rows = [
            {"doc": "s", "seq": nth, "text": f"# Head\n\nIt stays.\n\n# Other\n\nIt is {nth}."}
            for nth in range(length)
        ]
        file = tmp_path / f"{length}.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)))
        world.imported(file)
        world.index()
        profiling = Profiling(driver)
        found = plan(world.on(profiling), "stays").passages
        assert [each.text for each in found] == ["# Head\n\nIt stays."]
        cost.append(sum(hits(p) for name, p in profiling.profiles if name == "plan/find_words"))
    assert cost[1] <= cost[0] + 2


def test_a_passage_is_found_from_its_start_until_just_before_its_end_in_every_way(
    world: World,
) -> None:
    world.embedder = WordEmbedder()
    world.version("rates", "The rate is 19.", validFrom=NOON, validTo=NOON + 10)
    world.index()
    for at, there in ((NOON - 1, 0), (NOON, 1), (NOON + 9, 1), (NOON + 10, 0)):
        assert [len(each) for each in every_way(world, at)] == [there] * 4
    world.embedder = replace(world.embedder, name="another")
    assert [len(each) for each in every_way(world, NOON)] == [1, 0, 0, 0]


def every_way(world: World, at: int) -> list[list[Place]]:
    """What is found by words, by the index of vectors, among all vectors, and those of a source."""
    planner = Planner(world.store, world.clock, world.embedder, world.models)
    asked = Asked(world.tenant, "The rate is 19.", at)
    [vector] = world.embedder.embed([asked.question])
    pages = [planner._all_vectors(each) for each in (asked, replace(asked, source_ids=("rates",)))]
    ranked = (planning._ranked(page, vector) for page in pages)
    return [planner._by_words(asked), planner._nearest(asked, vector, 20_000), *ranked]
