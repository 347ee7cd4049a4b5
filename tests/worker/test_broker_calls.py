"""A broker that fails at any call: no task fails by it, no write is lost, and the end is right."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pytest
import redis
from neo4j import Driver
from redis.connection import AbstractConnection
from redis.exceptions import ConnectionError as BrokerGone

from app.config import Settings
from app.core.errors import Unavailable
from app.core.states import Status
from app.graph.audits import Neo4jAudits
from app.graph.store import Neo4jStore
from app.wiring import Stack
from app.worker import run, wakes
from app.worker.celery_app import app
from app.worker.send import CeleryWake, send_task
from tests.builders import World

TASK_ID: Final = "0f0e3a52-6a55-5a0e-9f54-0d4c2f0e8a11"


@dataclass
class FailingBroker:
    """A broker whose ``nth`` command fails (from 1; 0: none), and with it all that follow it."""

    nth: int
    for_good: bool
    calls: int = 0

    @property
    def failed(self) -> bool:
        return 0 < self.nth <= self.calls

    @contextmanager
    def in_place(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        send: Callable[..., Any] = AbstractConnection.send_packed_command

        def counted(connection: Any, *args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self.nth or (self.for_good and self.failed):
                raise BrokerGone
            return send(connection, *args, **kwargs)

        with monkeypatch.context() as patched:
            patched.setattr(AbstractConnection, "send_packed_command", counted)
            patched.setattr(wakes, "_silent_until", dict[str, float]())
            patched.setattr(run, "_next_sign", dict[int, float]())
            yield


@dataclass
class Child:
    """Runs tasks as a worker's child does."""

    world: World

    def run(self, name: str, /, **body: Any) -> None:
        task = app.tasks[f"telha.{name}"]
        about = {"exchange": "", "routing_key": "telha"}
        task.push_request(id=TASK_ID, retries=0, called_directly=False, delivery_info=about)
        try:
            task.run({"tenant": self.world.tenant, **body})
        finally:
            task.pop_request()

    def one_change(self, nth: int) -> None:
        """From a change to its event, by every task on the way."""
        self.world.clock.advance(1)
        self.run("ingest_version", sourceId="cap", text=f"It is {nth}.", requestId=f"r{nth}")
        self.run("dispatch_changes")
        self.run("check_answer")
        self.run("check_due")
        self.world.clock.advance(61)
        self.run("close_emit_windows")


@pytest.fixture
def settings(broker_url: str) -> Settings:
    return Settings.model_validate({"broker_url": broker_url})


@pytest.fixture
def world(store: Neo4jStore, tenant: str) -> World:
    return World(store, tenant)


@pytest.fixture
def child(
    world: World, settings: Settings, driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> Child:
    app.loader.import_default_modules()
    home = Stack(
        settings=settings,
        store=world.store,
        audits=Neo4jAudits(driver),
        clock=world.clock,
        real=world.real,
        verifier=world.verifier,
        wake=CeleryWake(settings),
    )
    monkeypatch.setattr(run, "stack", lambda: home)
    return Child(world)


@pytest.mark.parametrize("for_good", [False, True], ids=["one call", "all from there on"])
def test_a_change_leads_to_one_transition_and_one_event_whichever_broker_call_fails(
    child: Child, world: World, monkeypatch: pytest.MonkeyPatch, for_good: bool
) -> None:
    saved = world.two_claims()
    nth = 0
    while True:
        nth += 1
        broker = FailingBroker(nth, for_good)
        with broker.in_place(monkeypatch):
            child.one_change(nth)
        assert len(world.show(saved.answer_id).history) == 1 + nth
        assert [event.number for event in world.events(saved.answer_id)] == [*range(1, nth + 1)]
        if not broker.failed:
            break
    assert nth > 5
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE


def is_sent(settings: Settings) -> bool:
    """Whether a caller was not told that nothing was sent."""
    try:
        send_task(settings, "telha.check_answer", {"tenant": "t"})
    except Unavailable:
        return False
    return True


@pytest.mark.parametrize("for_good", [False, True], ids=["one call", "all from there on"])
def test_a_task_is_sent_or_its_caller_is_told_whichever_broker_call_fails(
    settings: Settings, broker_url: str, monkeypatch: pytest.MonkeyPatch, for_good: bool
) -> None:
    broker = redis.Redis.from_url(broker_url)
    nth = 0
    while True:
        nth += 1
        failing = FailingBroker(nth, for_good)
        broker.flushdb()
        with failing.in_place(monkeypatch):
            sent = is_sent(settings)
        assert not sent or broker.llen("telha") == 1
        if not failing.failed:
            break
    assert sent
    assert nth > 1
    broker.close()
