"""Wake-ups: one waits for each task and tenant, the queue ends, a lost broker costs no time."""

import time
import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from celery.beat import ScheduleEntry
from celery.schedules import schedule
from kombu import Connection

from app.config import Settings
from app.core.errors import Unavailable
from app.worker import wakes
from app.worker.beat import Scheduler
from app.worker.celery_app import app as product
from app.worker.celery_app import make_app
from app.worker.consumer import Consumer, steady
from app.worker.send import CeleryWake, send_task
from app.worker.wakes import INDEX_QUEUE, RELAY_QUEUE, send_wake, sender, taken

CHECK = "telha.check_answer"
DEAD = "redis://127.0.0.1:1/0"


@pytest.fixture
def settings(broker_url: str) -> Settings:
    return Settings.model_validate({"broker_url": broker_url})


@pytest.fixture
def broker(broker_url: str) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(broker_url, decode_responses=True) as client:
        yield client


def waiting(broker: "redis.Redis") -> int:
    return int(broker.llen(RELAY_QUEUE))


def test_one_wake_up_waits_for_each_task_and_tenant(
    settings: Settings, broker: "redis.Redis"
) -> None:
    wake = CeleryWake(settings)
    for _ in range(50):
        wake("a")
        wake.jobs("a")
        wake.jobs("b")
    assert waiting(broker) == 3


def test_a_taken_wake_up_lets_the_next_one_through(
    settings: Settings, broker: "redis.Redis"
) -> None:
    send_wake(settings, CHECK, "a")
    taken(settings, CHECK, "b")
    send_wake(settings, CHECK, "a")
    assert waiting(broker) == 1
    taken(settings, CHECK, "a")
    send_wake(settings, CHECK, "a")
    assert waiting(broker) == 2


def test_a_wake_up_that_is_lost_silences_its_tenant_for_a_tick_at_most(
    settings: Settings, broker: "redis.Redis"
) -> None:
    send_wake(settings, CHECK, "a")
    marks = [key for key in broker.scan_iter() if key.startswith(f"{RELAY_QUEUE}:")]
    assert len(marks) == 1
    assert 0 < broker.pttl(marks[0]) <= 1000 * Settings().worker.tick_seconds


def test_the_queue_of_wake_ups_has_an_end(
    settings: Settings, broker: "redis.Redis", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakes, "_MOST_WAITING", 7)
    for n in range(20):
        send_wake(settings, CHECK, f"t{n}")
    assert waiting(broker) == 7


def test_beat_leaves_out_ticks_that_nobody_takes_but_not_the_tasks_of_others(
    settings: Settings, broker: "redis.Redis", monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(wakes, "_MOST_WAITING", 5)
    beat = Scheduler(make_app(settings), schedule_filename=str(tmp_path / "schedule"))
    ticks = {name: entry["options"] for name, entry in product.conf.beat_schedule.items()}
    queues = {name: options.get("queue") for name, options in ticks.items()}
    assert queues.pop("telha.index_chunks") == INDEX_QUEUE
    assert set(queues.values()) == {RELAY_QUEUE}
    for name, options in [*ticks.items(), ("other.task", None)]:
        entry = ScheduleEntry(
            name, name, schedule=schedule(1), args=({},), options=options, app=product
        )
        for _ in range(4):
            beat.apply_async(entry, producer=beat.producer)
    assert waiting(broker) == 5
    assert broker.llen(INDEX_QUEUE) == 4
    assert broker.llen("telha") == 4
    beat.close()


def test_a_broker_that_is_down_costs_a_write_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakes, "_silent_until", dict[str, float]())
    gone = Settings.model_validate({"broker_url": DEAD})
    since = time.monotonic()
    for n in range(100):
        send_wake(gone, CHECK, f"t{n}")
    taken(gone, CHECK, "t")
    assert time.monotonic() - since < 2
    with pytest.raises(Unavailable, match="does not answer"):
        send_task(gone, CHECK, {"tenant": "t"})


def test_a_broker_that_is_back_is_tried_again_after_a_tick(
    settings: Settings, broker: "redis.Redis", monkeypatch: pytest.MonkeyPatch
) -> None:
    url = wakes._url(settings)
    assert url
    monkeypatch.setattr(wakes, "_silent_until", {url: time.monotonic() + 0.2})
    send_wake(settings, CHECK, "a")
    assert waiting(broker) == 0
    time.sleep(0.25)
    send_wake(settings, CHECK, "a")
    assert waiting(broker) == 1


def test_without_a_broker_nothing_is_woken_and_sending_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TELHA_BROKER_URL", raising=False)
    send_wake(Settings(), CHECK, "a")
    taken(Settings(), CHECK, "a")
    with pytest.raises(Unavailable, match="no broker is configured"):
        send_task(Settings(), CHECK, {"tenant": "a"})


def test_a_broker_without_marks_gets_every_wake_up() -> None:
    memory = Settings.model_validate({"broker_url": "memory://"})
    for _ in range(3):
        send_wake(memory, CHECK, "a")
    taken(memory, CHECK, "a")
    with sender("memory://").connection_for_write() as connection:
        assert wakes.has_room(connection.default_channel)
        assert connection.SimpleQueue(RELAY_QUEUE).qsize() == 3


def test_a_lost_connection_that_cannot_be_closed_does_not_end_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    consumer = object.__new__(Consumer)
    consumer.connection = Connection("memory://")

    def closing(*_: object) -> None:
        raise AttributeError("'NoneType' object has no attribute 'hostname'")

    parent = "celery.worker.consumer.Consumer.on_connection_error_after_connected"
    monkeypatch.setattr(parent, closing)
    consumer.on_connection_error_after_connected(OSError())
    assert consumer.connection is None


def consumer_with_a_loop() -> Any:
    consumer: Any = object.__new__(Consumer)
    consumer.connection_errors = (OSError,)
    consumer.hub = SimpleNamespace(call_soon=lambda settle: settle())
    return consumer


def test_a_message_whose_connection_is_gone_does_not_end_the_worker(
    broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Connection(broker_url) as connection:
        queue = connection.SimpleQueue(f"gone-{uuid.uuid4().hex}")
        queue.put("x")
        message: Any = queue.get()
        errors = connection.connection_errors
        message.channel._disconnect_pools()
        with monkeypatch.context() as half_closed:  # what Kombu leaves where it could not close
            half_closed.setattr(message.channel.connection, "client", None)
            with pytest.raises(AttributeError, match="hostname"):
                message.ack_log_error(None, errors)
            consumer_with_a_loop().call_soon_ack(message.ack_log_error, None, errors)
            assert not message.acknowledged
        message.ack()


def test_a_message_that_meets_a_broken_connection_has_it_opened_again() -> None:
    def broken() -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        consumer_with_a_loop().call_soon_ack(broken)


def test_a_worker_asks_for_its_broker_every_two_seconds() -> None:
    asked: dict[str, float] = {}

    class Asked:
        def ensure_connection(self, **pauses: float) -> None:
            asked.update(pauses)

    steady(Asked()).ensure_connection()
    assert asked == {"interval_start": 2, "interval_step": 0, "interval_max": 2}
    assert product.conf.worker_consumer == "app.worker.consumer:Consumer"
    assert product.conf.beat_scheduler == "app.worker.beat:Scheduler"


def test_the_shipped_delays_lie_below_the_visibility_timeout() -> None:
    visible = product.conf.broker_transport_options["visibility_timeout"]
    assert visible == Settings().worker.visibility_timeout_seconds
    expiry = [entry["options"]["expires"] for entry in product.conf.beat_schedule.values()]
    assert max(*expiry, Settings().worker.lease_seconds, wakes._WAKE_LIVES) < visible
    with pytest.raises(ValueError, match="must exceed 30"):
        Settings.model_validate({"worker": {"visibility_timeout_seconds": 30}})
