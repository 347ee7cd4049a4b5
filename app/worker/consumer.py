"""A consumer that outlives its broker and its messages: what would end Celery's is mended here."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog
from celery.worker.consumer import Consumer as CeleryConsumer

_RETRY_SECONDS: Final = 2
_log = structlog.get_logger(__name__)


def steady(connection: Any) -> Any:
    """Have a connection try again every two seconds; Celery's own pauses grow to thirty."""
    connection.ensure_connection = partial(
        connection.ensure_connection,
        interval_start=_RETRY_SECONDS,
        interval_step=0,
        interval_max=_RETRY_SECONDS,
    )
    return connection


class Consumer(CeleryConsumer):
    """Celery's consumer, mended."""

    connection_errors: tuple[type[Exception], ...]

    def ensure_connected(self, conn: Any) -> Any:
        """Return ``conn`` once it is connected."""
        return super().ensure_connected(steady(conn))

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Clear the lost connection away.

        Kombu 5.7 closes a half-closed Redis channel twice; the second time it looks for the address
        of a connection that is gone, and the ``AttributeError`` would end the worker.
        """
        try:
            super().on_connection_error_after_connected(exc)
        except Exception as broken:  # noqa: BLE001 — whatever closing fails on is gone anyway
            _log.warning("lost_connection_not_closed", exc_info=broken)
            self.connection = None

    def call_soon_ack(self, p: Callable[..., None], *args: Any, **kwargs: Any) -> Any:
        """Settle a message soon; where its connection is gone, leave it to be handed out again.

        Kombu 5.7 looks for the address of that connection too, and would end the worker.
        """
        call_soon_ack = super().call_soon_ack  # type: ignore[misc]  # the stubs are of Celery 5.6
        return call_soon_ack(partial(self._settle, p), *args, **kwargs)

    def _settle(self, settle: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        try:
            settle(*args, **kwargs)
        except self.connection_errors:
            raise
        except Exception as broken:  # noqa: BLE001 — whatever it fails on, the message is not lost
            _log.warning("message_not_settled", exc_info=broken)

    def create_task_handler(self, *args: Any, **kwargs: Any) -> Callable[[Any], None]:
        """Return what takes a message. One that is no task by its form is dropped, told in the log.

        Celery checks no more than the name; a body of another form would end every worker that
        takes it, one after the other.
        """
        handle = super().create_task_handler(*args, **kwargs)

        def take(message: Any) -> None:
            try:
                handle(message)
            except self.connection_errors:
                raise
            except Exception as broken:  # noqa: BLE001 — a stranger's message can fail in any way
                _log.error("message_dropped", exc_info=broken)
                message.reject_log_error(logging.getLogger(__name__), self.connection_errors)

        return take
