"""Log lines without text of people: what failed and where, never the values it failed on."""

import logging
import traceback
from collections.abc import MutableMapping
from typing import Any, Final

import structlog

_CONSUMER: Final = "celery.worker.consumer.consumer"


def configure() -> None:
    """Have this process log one line an event, exceptions by type and place alone."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            place_of_exception,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
    )
    logging.getLogger(_CONSUMER).addFilter(without_body)


def place_of_exception(
    _: Any, __: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace an exception by its type and where it came through: no message, no locals."""
    broken = event.pop("exc_info", None)
    if isinstance(broken, BaseException):
        frames = traceback.extract_tb(broken.__traceback__)
        event["error"] = type(broken).__name__
        event["at"] = " < ".join(f"{f.name}:{f.filename}:{f.lineno}" for f in reversed(frames))
    return event


def without_body(record: logging.LogRecord) -> bool:
    """Cut what Celery's consumer says of a message it cannot read to its first line: no body."""
    if record.levelno >= logging.WARNING and "body" in str(record.msg):
        told = str(record.msg).splitlines()[0].partition(":")[0].partition(" of type %s")[0]
        record.msg, record.args = f"{told}; it was dropped", None
        record.exc_info = None
    return True
