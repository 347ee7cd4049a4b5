"""The tasks that answer and index: one effect a message, a failing model parks, short slices."""

from dataclasses import replace
from typing import Any, cast

import pytest
from neo4j import Driver

from app.config import AnswersSettings, ModelsSettings, Settings
from app.flow.index import Indexer
from app.flow.jobs import JobState, list_jobs
from app.models import choose
from app.wiring import Stack
from app.worker import run, tasks
from app.worker.wakes import INDEX_QUEUE
from tests.builders import CAP, World
from tests.dumps import Graph
from tests.fakes import FixedGenerator, WordEmbedder
from tests.flow.test_generate import fixed
from tests.worker.conftest import Send


@pytest.fixture
def home(home: Stack) -> Stack:
    """The stack of a worker's child, with answers switched on."""
    return replace(
        home,
        settings=Settings.model_validate(
            {"tenant": home.settings.tenant, "answers": AnswersSettings(enabled=True)}
        ),
    )


@pytest.fixture
def graph(driver: Driver) -> Graph:
    """A look at the graph beside the store."""
    return Graph(driver)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Who was woken for what."""
    told: list[tuple[str, str]] = []

    def wake(_: Settings, name: str, tenant: str, queue: str) -> None:
        assert queue == INDEX_QUEUE
        told.append((name, tenant))

    monkeypatch.setattr(tasks, "send_wake", wake)
    return told


def world(home: Stack) -> World:
    return World(home.store, home.settings.tenant, cast("Any", home.clock), cast("Any", home.real))


def parked(home: Stack) -> list[str | None]:
    found = list_jobs(home.store, home.settings.tenant, state=JobState.PARKED)
    return [job.reason for job in found]


def generating(monkeypatch: pytest.MonkeyPatch, made: FixedGenerator) -> FixedGenerator:
    monkeypatch.setattr(choose, "generator", lambda *_: made)
    return made


def test_a_question_is_answered_once_and_saved(
    home: Stack, send: Send, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = generating(monkeypatch, fixed(("The cap is €2m.", 1, "The cap is €2m.")))
    tenant = home.settings.tenant
    world(home).version("cap", CAP)
    world(home).index()
    body = {"tenant": tenant, "question": "What is the cap?", "save": True, "title": "Cap"}
    send("telha.generate_answer", **body)
    send("telha.generate_answer", **body)
    assert parked(home) == []
    assert len(made.asked) == 1
    assert graph.count(tenant, "Trace") == 1
    [row] = world(home).listed().answers
    assert row.title == "Cap"


def test_without_save_there_is_a_trace_alone(home: Stack, send: Send, graph: Graph) -> None:
    send("telha.generate_answer", tenant=home.settings.tenant, question="What is the cap?")
    assert graph.count(home.settings.tenant, "Trace") == 1
    assert world(home).listed().answers == ()


@pytest.mark.parametrize("code", ["GENERATOR_UNAVAILABLE", "GENERATOR_UNREADABLE"])
def test_a_model_that_fails_parks_the_task(
    home: Stack, send: Send, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    generating(monkeypatch, fixed(fails=code))
    world(home).version("cap", CAP)
    world(home).index()
    send("telha.generate_answer", tenant=home.settings.tenant, question="What is the cap?")
    [reason] = parked(home)
    assert reason is not None
    assert reason.startswith(f"{code}: ")


def test_what_waits_is_indexed_for_a_slice_then_the_next_one_is_asked_for(
    home: Stack, send: Send, woken: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = home.settings.tenant
    world(home).version("cap", CAP)
    monkeypatch.setattr(tasks, "_INDEX_SLICE", 0.0)
    send("telha.index_chunks", tenant=tenant)
    assert woken == [("telha.index_chunks", tenant)]
    monkeypatch.setattr(tasks, "_INDEX_SLICE", 60.0)
    send("telha.index_chunks", tenant=tenant)
    assert len(woken) == 1
    assert world(home).indexer().lag().sources == 0


def test_without_a_tenant_each_that_waits_is_woken(
    home: Stack, send: Send, woken: list[tuple[str, str]]
) -> None:
    world(home).version("cap", CAP)
    send("telha.index_chunks")
    assert ("telha.index_chunks", home.settings.tenant) in woken


def test_where_nothing_would_look_into_it_nothing_is_indexed(
    home: Stack, send: Send, woken: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    none = ModelsSettings(embedding="none", generator="none")
    silent = replace(home, settings=home.settings.model_copy(update={"models": none}))
    monkeypatch.setattr(run, "stack", lambda: silent)
    world(home).version("cap", CAP)
    send("telha.index_chunks", tenant=home.settings.tenant)
    send("telha.index_chunks")
    send("telha.dispatch_changes", tenant=home.settings.tenant)
    assert woken == []
    assert world(home).indexer().lag().sources == 1


def test_a_failing_model_rests_and_asks_for_no_next_slice(
    home: Stack, send: Send, woken: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = WordEmbedder(fails="MODEL_UNAVAILABLE")
    broken = replace(home, embedder=failing)
    monkeypatch.setattr(run, "stack", lambda: broken)
    world(home).version("cap", CAP)
    send("telha.index_chunks", tenant=home.settings.tenant)
    assert (woken, parked(home)) == ([], [])
    monkeypatch.setattr(Indexer, "run", lambda *_, **__: pytest.fail("it did not rest"))
    send("telha.index_chunks", tenant=home.settings.tenant)


def test_following_a_change_asks_for_its_indexing(
    home: Stack, send: Send, woken: list[tuple[str, str]]
) -> None:
    world(home).version("cap", CAP)
    send("telha.dispatch_changes", tenant=home.settings.tenant)
    assert ("telha.index_chunks", home.settings.tenant) in woken
