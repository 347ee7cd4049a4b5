"""The Celery application: acknowledged late, JSON only, one driver a process, opened after fork."""

from typing import Any, Final

import structlog
from celery import Celery
from celery.signals import beat_init, worker_init, worker_process_shutdown
from kombu import Queue

from app.config import LONGEST_RETRY_PAUSE, Settings
from app.core.errors import TelhaError, Unavailable
from app.wiring import open_stack
from app.worker import logs, process
from app.worker.wakes import INDEX_QUEUE, QUEUE, RELAY_QUEUE

_TASKS: Final = "app.worker.tasks"
_MOST_RETRIES_HELD: Final = 500
_log = structlog.get_logger(__name__)


def make_app(settings: Settings) -> Celery:
    """Return the application for ``settings``; nothing is connected yet."""
    broker = settings.broker_url.get_secret_value() if settings.broker_url else None
    celery = Celery("telha", broker=broker, include=[_TASKS])
    worker = settings.worker
    celery.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_eta_task_limit=_MOST_RETRIES_HELD,
        task_default_queue=QUEUE,
        task_queues=[Queue(QUEUE), Queue(RELAY_QUEUE), Queue(INDEX_QUEUE)],
        task_default_delivery_mode="persistent",
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": worker.visibility_timeout_seconds,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 2,
            "socket_timeout": 30,
            "health_check_interval": 10,
            "retry_on_timeout": True,
        },
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_hijack_root_logger=False,
        timezone="UTC",
        worker_consumer="app.worker.consumer:Consumer",
        beat_scheduler="app.worker.beat:Scheduler",
        beat_schedule=schedule(settings),
    )
    return celery


def schedule(settings: Settings) -> dict[str, dict[str, object]]:
    """Return what beat sends: the relay's passes, each dropped if no worker took it in time."""
    every = {
        "telha.dispatch_changes": settings.worker.tick_seconds,
        "telha.close_emit_windows": settings.worker.tick_seconds,
        "telha.check_due": settings.worker.due_seconds,
        "telha.index_chunks": settings.worker.due_seconds,
    }
    return {
        task: {
            "task": task,
            "schedule": seconds,
            "args": [{}],
            "options": {
                "queue": INDEX_QUEUE if task == "telha.index_chunks" else RELAY_QUEUE,
                "expires": max(2 * seconds, LONGEST_RETRY_PAUSE),
            },
        }
        for task, seconds in every.items()
    }


logs.configure()
app = make_app(Settings())


@worker_init.connect
def check_before_work(**_: Any) -> None:
    """Refuse to work without servers or on a database that is not migrated; log warnings.

    A server that is only down is waited for: every task does.
    """
    _require(TELHA_BROKER_URL=Settings().broker_url, NEO4J_URI=Settings().neo4j_uri)
    try:
        with open_stack(Settings()) as stack:
            for warning in stack.settings.warnings():
                _log.warning("settings", warning=warning)
    except Unavailable as refused:
        _log.warning("store_not_ready", why=refused.code)
    except TelhaError as refused:
        _refuse(refused.code, str(refused))


@beat_init.connect
def check_before_ticking(**_: Any) -> None:
    """Refuse to tick without a broker."""
    _require(TELHA_BROKER_URL=Settings().broker_url)


@worker_process_shutdown.connect
def close_stack(**_: Any) -> None:
    """Close the driver of a child that ends."""
    process.close()


def _require(**servers: object) -> None:
    for variable, address in servers.items():
        if address is None:
            _refuse("SERVER_UNCONFIGURED", f"set {variable}")


def _refuse(code: str, message: str) -> None:
    """End the process: Celery logs and ignores every other exception of a signal's handler."""
    _log.error("refused", code=code, why=message)
    raise SystemExit(1)
