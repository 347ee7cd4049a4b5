"""Sending tasks by name: all that a caller needs is Celery and the broker's address."""

from dataclasses import dataclass
from functools import cache

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from app.config import Settings
from app.core.errors import Unavailable

_log = structlog.get_logger(__name__)
_HINT_LIVES = 30


def send_task(settings: Settings, name: str, payload: dict[str, object]) -> None:
    """Send the task ``name`` with its payload; raise ``Unavailable`` ``BROKER_UNAVAILABLE``."""
    try:
        _sender(_broker(settings)).send_task(name, args=[payload], retry=False)
    except (OperationalError, OSError) as refused:
        raise Unavailable(
            "BROKER_UNAVAILABLE",
            f"the broker does not answer ({type(refused).__name__})",
            hint="Start it, or check TELHA_BROKER_URL; nothing was sent.",
        ) from None


@dataclass(frozen=True, slots=True)
class CeleryWake:
    """A wake-up by Celery message. A broker that is down costs delay: beat finds the work later."""

    settings: Settings

    def __call__(self, tenant: str) -> None:
        """Ask the workers to dispatch the tenant's changes."""
        self._hint("telha.dispatch_changes", tenant)

    def jobs(self, tenant: str) -> None:
        """Ask a worker to run the tenant's jobs."""
        self._hint("telha.check_answer", tenant)

    def _hint(self, name: str, tenant: str) -> None:
        if self.settings.broker_url is None:
            return
        try:
            _sender(_broker(self.settings)).send_task(
                name, args=[{"tenant": tenant}], retry=False, expires=_HINT_LIVES
            )
        except (OperationalError, OSError) as refused:
            _log.warning("wake_up_lost", task=name, tenant=tenant, why=type(refused).__name__)


def _broker(settings: Settings) -> str:
    if settings.broker_url is None:
        raise Unavailable(
            "BROKER_UNAVAILABLE", "no broker is configured", hint="Set TELHA_BROKER_URL."
        )
    return settings.broker_url.get_secret_value()


@cache
def _sender(broker_url: str) -> Celery:
    sender = Celery("telha-sender", broker=broker_url)
    sender.conf.update(
        task_serializer="json",
        task_default_queue="telha",
        task_ignore_result=True,
        broker_transport_options={"socket_connect_timeout": 2, "socket_timeout": 5},
    )
    return sender
