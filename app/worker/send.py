"""Sending tasks by name: all that a caller needs is Celery and the broker's address."""

from dataclasses import dataclass

from app.config import Settings
from app.core.errors import Unavailable
from app.worker.wakes import BROKER_ERRORS, send_wake, sender


def send_task(settings: Settings, name: str, payload: dict[str, object]) -> None:
    """Send the task ``name`` with its payload; raise ``Unavailable`` ``BROKER_UNAVAILABLE``."""
    if settings.broker_url is None:
        raise Unavailable(
            "BROKER_UNAVAILABLE", "no broker is configured", hint="Set TELHA_BROKER_URL."
        )
    try:
        broker = sender(settings.broker_url.get_secret_value())
        broker.send_task(name, args=[payload], retry=False)
    except BROKER_ERRORS as refused:
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
        send_wake(self.settings, "telha.dispatch_changes", tenant)

    def jobs(self, tenant: str) -> None:
        """Ask a worker to run the tenant's jobs."""
        send_wake(self.settings, "telha.check_answer", tenant)
