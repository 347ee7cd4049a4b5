"""The Celery application: acknowledged late, JSON only, one driver a process, opened after fork."""

from typing import Any, Final

import structlog
from celery import Celery
from celery.signals import worker_init, worker_process_shutdown

from app.config import LONGEST_RETRY_PAUSE, Settings
from app.core.errors import Unavailable
from app.wiring import open_stack
from app.worker import process

_TASKS: Final = "app.worker.tasks"
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
        task_default_queue="telha",
        task_default_delivery_mode="persistent",
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": worker.visibility_timeout_seconds,
            "socket_connect_timeout": 2,
            "socket_timeout": 30,
            "health_check_interval": 10,
            "retry_on_timeout": True,
        },
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_hijack_root_logger=False,
        timezone="UTC",
        beat_schedule=schedule(settings),
    )
    return celery


def schedule(settings: Settings) -> dict[str, dict[str, object]]:
    """Return what beat sends: the relay's passes, each dropped if no worker took it in time."""
    every = {
        "telha.dispatch_changes": settings.worker.tick_seconds,
        "telha.close_emit_windows": settings.worker.tick_seconds,
        "telha.check_due": settings.worker.due_seconds,
    }
    return {
        task: {
            "task": task,
            "schedule": seconds,
            "args": [{}],
            "options": {"expires": max(2 * seconds, LONGEST_RETRY_PAUSE)},
        }
        for task, seconds in every.items()
    }


app = make_app(Settings())


@worker_init.connect
def check_before_work(**_: Any) -> None:
    """Refuse to work without a broker or on a database that is not migrated; log warnings."""
    if Settings().broker_url is None:
        raise Unavailable(
            "BROKER_UNCONFIGURED", "no broker to work for", hint="Set TELHA_BROKER_URL."
        )
    with open_stack(Settings()) as stack:
        for warning in stack.settings.warnings():
            _log.warning("settings", warning=warning)


@worker_process_shutdown.connect
def close_stack(**_: Any) -> None:
    """Close the driver of a child that ends."""
    process.close()
