"""What the driver raises, told as one of our errors. Messages hold no password, no value."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from neo4j.exceptions import (
    ConfigurationError,
    ConnectionAcquisitionTimeoutError,
    ConstraintError,
    DatabaseError,
    DatabaseUnavailable,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from app.core.errors import Conflict, Invalid, TelhaError, Unavailable

_SECURITY: Final = "Neo.ClientError.Security."
STORE_BROKEN: Final = "STORE_BROKEN"
STORE_BUSY: Final = "STORE_BUSY"
_BROKEN: Final = "Neo.DatabaseError.Transaction."
_START: Final = "Is it running, and is NEO4J_URI right? `telha local up` starts one."


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's errors into ours; what only a fault in our code raises stays as it is."""
    try:
        yield
    except (DriverError, Neo4jError) as error:
        told = told_as(error)
        if told is None:
            raise
        raise told from error


def told_as(error: DriverError | Neo4jError) -> TelhaError | None:
    """Return what ``error`` means to a caller, or ``None`` where it is a fault in our code."""
    told: TelhaError | None = None
    match error:
        case IncompleteCommit():
            told = Unavailable(
                "STORE_OUTCOME_UNKNOWN",
                "the connection broke during the commit; whether it happened is not known",
                hint="Repeat the call: what it wrote is found again by its id.",
            )
        case ServiceUnavailable() | SessionExpired() | DatabaseUnavailable():
            told = Unavailable("STORE_UNAVAILABLE", "Neo4j does not answer", hint=_START)
        case ConnectionAcquisitionTimeoutError():
            told = Unavailable(STORE_BUSY, "no connection to Neo4j became free in time")
        case TransientError():
            told = Unavailable(
                STORE_BUSY, f"Neo4j refused for now, also when tried again: {error.title}"
            )
        case ConfigurationError():
            told = Invalid(
                "STORE_URI_INVALID",
                "this is no address of a Neo4j server",
                field="NEO4J_URI",
                hint="Write bolt://host:7687 or neo4j://host:7687, without user and password.",
            )
        case ConstraintError():
            told = Conflict("STORE_KEY_TAKEN", "another node or relationship has this key")
        case DatabaseError() if error.code.startswith(_BROKEN):
            told = Unavailable(
                STORE_BROKEN,
                f"Neo4j does not write: {error.title}",
                hint="Its disk may be full, its log tells. Free some, kill it (an orderly stop then"
                " tears its transaction log), start it, repeat the call.",
            )
        case Neo4jError() if error.code.startswith(_SECURITY):
            told = Unavailable(
                "STORE_AUTH_FAILED",
                f"Neo4j refused the user or the password: {error.title}",
                hint="Check NEO4J_USER and NEO4J_PASSWORD.",
            )
    return told
