"""Wake-ups on their queue, bounded: one waits for each task and tenant, and the queue has an end.

A mark in the broker says that a wake-up waits; the worker that takes it clears the mark before it
looks for work, so what was stored before the mark was found is seen. Marks end by themselves within
a tick. Brokers other than Redis get every wake-up.
"""

import time
from functools import cache
from typing import Any, Final

import structlog
from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from app.config import Settings

RELAY_QUEUE: Final = "telha.relay"
INDEX_QUEUE: Final = "telha.index"
"""Indexing has a queue of its own: workers serve queues in turn, so it holds up no check."""
WAKE_QUEUES: Final = frozenset({RELAY_QUEUE, INDEX_QUEUE})
QUEUE: Final = "telha"
BROKER_ERRORS: Final = (OperationalError, OSError, RedisError)
_WAKE_LIVES: Final = 30
_MARK_LIVES: Final = 2
_MOST_WAITING: Final = 1000
_PAUSE: Final = 2.0
_log = structlog.get_logger(__name__)
_silent_until: dict[str, float] = {}


def send_wake(settings: Settings, name: str, tenant: str, queue: str = RELAY_QUEUE) -> None:
    """Wake a worker for one tenant, unless one such wake-up waits. May be lost, never raises."""
    url = _url(settings)
    if url is None or time.monotonic() < _silent_until.get(url, 0):
        return
    try:
        with sender(url).producer_or_acquire() as producer:
            if _is_first(producer.channel, name, tenant, queue):
                sender(url).send_task(
                    name,
                    args=[{"tenant": tenant}],
                    queue=queue,
                    producer=producer,
                    retry=False,
                    expires=_WAKE_LIVES,
                )
    except BROKER_ERRORS as refused:
        _silent_until[url] = time.monotonic() + _PAUSE
        _log.warning("wake_up_lost", task=name, tenant=tenant, why=type(refused).__name__)


def taken(settings: Settings, name: str, tenant: str) -> None:
    """Tell that a worker looks for work now, so that the next wake-up is sent again."""
    url = _url(settings)
    if url is None:
        return
    try:
        with sender(url).producer_or_acquire() as producer:
            client = client_of(producer.channel)
            if client is not None:
                client.delete(_mark(name, tenant))
    except BROKER_ERRORS as refused:
        _log.warning("mark_left", task=name, tenant=tenant, why=type(refused).__name__)


def has_room(channel: Any, queue: str = RELAY_QUEUE) -> bool:
    """Whether a wake-up queue takes more: where no worker takes any, it must not grow."""
    client = client_of(channel)
    return client is None or client.llen(queue) < _MOST_WAITING


def client_of(channel: Any) -> Any:
    """Return the Redis client of a channel; ``None`` where the broker is no Redis."""
    return getattr(channel, "client", None)


@cache
def sender(url: str) -> Celery:
    """Return the application that sends to a broker; it gives up at once where that is down."""
    app = Celery("telha-sender", broker=url)
    app.conf.update(
        task_serializer="json",
        task_default_queue=QUEUE,
        task_ignore_result=True,
        broker_transport_options={
            "socket_connect_timeout": 1,
            "socket_timeout": 2,
            "max_retries": 1,
            "interval_start": 0,
        },
    )
    return app


def _is_first(channel: Any, name: str, tenant: str, queue: str) -> bool:
    client = client_of(channel)
    if client is None:
        return True
    pipe = client.pipeline(transaction=False)
    pipe.set(_mark(name, tenant), b"", nx=True, ex=_MARK_LIVES)
    pipe.llen(queue)
    marked, waiting = pipe.execute()
    return bool(marked) and waiting < _MOST_WAITING


def _mark(name: str, tenant: str) -> str:
    return f"{RELAY_QUEUE}:{name}:{tenant}"


def _url(settings: Settings) -> str | None:
    return settings.broker_url.get_secret_value() if settings.broker_url else None
