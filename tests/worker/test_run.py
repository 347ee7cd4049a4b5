"""Running one message: done, parked, tried again or given back; never dropped, never for ever."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from celery.exceptions import Reject, Retry

from app.config import LONGEST_RETRY_PAUSE, Settings
from app.core.errors import Conflict, Invalid, Unavailable
from app.flow.jobs import JobState, list_jobs, show_job
from app.payloads.tasks import CheckAnswerIn
from app.wiring import Stack
from app.worker import process, run, tasks
from app.worker.celery_app import app
from tests.fakes import Broken, FailingStore

if TYPE_CHECKING:
    from celery import Task

TASK_ID = "0f0e3a52-6a55-5a0e-9f54-0d4c2f0e8a11"


@dataclass
class Message:
    """One message as a worker's child runs it, and what Celery was asked to send again."""

    home: Stack
    retries: int = 0
    pauses: list[float] = field(default_factory=list)

    def run(self, work: Any, body: dict[str, Any] | None = None) -> None:
        task = cast("Task[..., None]", app.tasks["telha.check_answer"])
        task.push_request(
            id=TASK_ID, retries=self.retries, called_directly=False, delivery_info={"exchange": ""}
        )
        try:
            run.run(task, CheckAnswerIn, ((), body or {"tenant": self.home.settings.tenant}), work)
        except Retry as again:
            self.pauses.append(cast("float", again.when))
            raise
        finally:
            task.pop_request()


@pytest.fixture
def message(home: Stack, monkeypatch: pytest.MonkeyPatch) -> Message:
    app.loader.import_default_modules()
    monkeypatch.setattr(run, "stack", lambda: home)
    monkeypatch.setattr("celery.canvas.Signature.apply_async", lambda *_, **__: None)
    return Message(home)


def failing(error: BaseException) -> Any:
    def work(*_: object) -> None:
        raise error

    return work


def parked(home: Stack) -> list[str | None]:
    found = list_jobs(home.store, home.settings.tenant, state=JobState.PARKED)
    return [job.reason for job in found]


def test_work_gets_the_payload_with_the_task_id_as_its_request_id(message: Message) -> None:
    got: list[CheckAnswerIn] = []
    message.run(lambda _, payload: got.append(payload))
    message.run(
        lambda _, p: got.append(p), {"tenant": message.home.settings.tenant, "requestId": "r"}
    )
    assert [payload.request_id for payload in got] == [TASK_ID, "r"]


def test_a_refusal_is_parked_as_it_was_sent_and_not_tried_again(message: Message) -> None:
    message.run(failing(Conflict("ALREADY_SAVED", "it is saved")))
    job = show_job(message.home.store, message.home.settings.tenant, TASK_ID)
    assert (job.state, job.reason) == (JobState.PARKED, "ALREADY_SAVED: it is saved")
    assert message.pauses == []


def test_a_payload_that_names_no_tenant_is_parked_with_the_configured_one(
    message: Message,
) -> None:
    message.run(lambda *_: None, {"tenant": "no such / id"})
    assert len(parked(message.home)) == 1


@pytest.mark.parametrize(("retries", "pause"), [(0, 1), (3, 8), (4, 16), (5, 30), (9999, 30)])
def test_a_store_that_does_not_answer_is_waited_for_without_an_end(
    message: Message, retries: int, pause: int
) -> None:
    message.retries = retries
    with pytest.raises(Retry):
        message.run(failing(Unavailable("STORE_UNAVAILABLE", "down")))
    assert message.pauses == [pause]
    assert pause <= LONGEST_RETRY_PAUSE
    assert parked(message.home) == []


def test_what_is_unexpected_is_tried_five_times_then_parked_without_its_text(
    message: Message,
) -> None:
    for message.retries in range(5):
        with pytest.raises(Retry):
            message.run(failing(ValueError("Zelda Quimby-Canary")))
    message.retries = 5
    message.run(failing(ValueError("Zelda Quimby-Canary")))
    assert parked(message.home) == ["UNEXPECTED: ValueError"]


def test_a_stack_that_does_not_open_keeps_the_message(
    message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (Invalid("NOT_MIGRATED", "run it"), Broken(), RuntimeError("no")):
        monkeypatch.setattr(run, "stack", failing(error))
        with pytest.raises(Retry):
            message.run(lambda *_: None)
    assert parked(message.home) == []


@pytest.mark.parametrize("nth", [1, 2])
def test_a_message_that_cannot_be_parked_is_kept(
    message: Message, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    failing_home = replace(message.home, store=FailingStore(message.home.store, nth))
    monkeypatch.setattr(run, "stack", lambda: failing_home)
    with pytest.raises(Retry):
        message.run(failing(Conflict("ALREADY_SAVED", "it is saved")))
    assert parked(message.home) == []


def test_work_is_done_also_where_no_sign_of_it_can_be_left(
    message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = Settings.model_validate({"broker_url": "redis://127.0.0.1:1/0"})
    monkeypatch.setattr(run, "_next_sign", {})
    monkeypatch.setattr(run, "stack", lambda: replace(message.home, settings=away))
    got: list[CheckAnswerIn] = []
    message.run(lambda _, payload: got.append(payload))
    assert len(got) == 1
    assert list(run._next_sign) == [os.getpid()]


def test_a_retry_that_the_broker_does_not_take_gives_the_message_back(
    message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celery.canvas.Signature.apply_async", failing(OSError("no broker")))
    with pytest.raises(Reject) as given:
        message.run(failing(Broken()))
    assert vars(given.value)["requeue"] is True


def test_a_tenant_that_fails_keeps_no_other_from_being_looked_at() -> None:
    seen: list[str] = []

    def look(tenant: str) -> None:
        seen.append(tenant)
        if tenant == "b":
            raise ValueError(tenant)
        if tenant == "d":
            raise Broken

    tasks._each(["a", "b", "c"], look)
    assert seen == ["a", "b", "c"]
    with pytest.raises(Broken):
        tasks._each(["d", "e"], look)
    assert seen[3:] == ["d"]


def test_a_process_has_one_stack_and_a_fork_neither_uses_nor_closes_its_parents(
    home: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[str, int]] = []

    @contextmanager
    def opened(_: object) -> Iterator[Stack]:
        events.append(("open", os.getpid()))
        try:
            yield home
        finally:
            events.append(("close", os.getpid()))

    monkeypatch.setattr(process, "open_stack", opened)
    monkeypatch.setattr(process, "_open", dict[int, tuple[ExitStack, Stack]]())
    assert process.stack() is process.stack()
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    process.stack()
    process.close()
    process.close()
    monkeypatch.setattr(os, "getpid", lambda: parent)
    process.stack()

    child = parent + 1
    assert events == [("open", parent), ("open", child), ("close", child)]
    process.close()
