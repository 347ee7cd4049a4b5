"""Brings a database to the schema of this code, through the files of ``cypher/migrations``.

Applying a file and recording it are two transactions in the library, without a lock. So every file
may run again, and our own lock makes of concurrent calls one after the other.
"""

import getpass
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Final
from uuid import uuid4

from neo4j import Driver
from neo4j.exceptions import ClientError
from neo4j_python_migrations.analyzer import InvalidVersion, InvalidVersionStatus
from neo4j_python_migrations.executor import Executor

from app.core.errors import Invalid, Unavailable
from app.graph.errors import STORE_BUSY, translated
from app.graph.queries.migrate import AWAIT_INDEX, PREPARE_LOCK, READ_OFFLINE, TAKE_LOCK
from app.graph.store import Neo4jStore
from app.ports import Tx

PROJECT: Final = "telha"  # keeps our chain apart from migrations that the database's owner has
ONLINE_SECONDS: Final = 300
LOCK_SECONDS: Final = 300
_REFUSALS: Final = {
    InvalidVersionStatus.DIFFERENT: (
        "MIGRATION_CHANGED",
        "is not the one that the database took",
        "Restore the file as it was, and put the change into a new one.",
    ),
    InvalidVersionStatus.MISSED_LOCALLY: (
        "MIGRATION_UNKNOWN",
        "was applied to the database, and this release does not have it",
        "The database is newer than the code: upgrade Telha.",
    ),
    InvalidVersionStatus.MISSED_REMOTELY: (
        "MIGRATION_SKIPPED",
        "was never applied to the database, later ones were",
        "Give the file a number above theirs.",
    ),
}


def migrate(
    driver: Driver, *, folder: Traversable | None = None, project: str = PROJECT
) -> list[str]:
    """Apply what is pending and wait until all indexes are online; return the files applied.

    ``folder`` is by default ours. A concurrent call waits and then finds nothing to do.

    Raises ``Invalid`` ``MIGRATION_CHANGED``, ``MIGRATION_UNKNOWN`` (the database is newer than the
    code) or ``MIGRATION_SKIPPED``, and then nothing was changed; ``Unavailable``
    ``STORE_INDEX_OFFLINE`` after five minutes of waiting.
    """
    applied: list[str] = []
    store = Neo4jStore(driver)
    if pending(driver, folder=folder, project=project):
        _require_user_name()
        store.write(lambda tx: tx.run(PREPARE_LOCK))
        with _executor(driver, folder, project) as executor:
            applied = _once_free(lambda: store.write(lambda tx: _apply(tx, executor)))
    for index in store.read(READ_OFFLINE):
        _await_index(store, index.name)
    return applied


def pending(
    driver: Driver, *, folder: Traversable | None = None, project: str = PROJECT
) -> list[str]:
    """Return the files not yet applied, in order. Raises ``Invalid`` as ``migrate`` does."""
    with _executor(driver, folder, project) as executor, translated():
        return _pending(executor)


@contextmanager
def _executor(driver: Driver, folder: Traversable | None, project: str) -> Iterator[Executor]:
    with as_file(folder or files("cypher") / "migrations") as path:
        yield Executor(driver, path, project=project)


def _once_free(apply: Callable[[], list[str]]) -> list[str]:
    """Return what ``apply`` does, tried again while another call holds the lock, for long."""
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return apply()
        except Unavailable as refused:
            if refused.code != STORE_BUSY or time.monotonic() > until:
                raise


def _apply(tx: Tx, executor: Executor) -> list[str]:
    """Apply while ``tx`` holds the lock; should ``tx`` be tried again, what was applied stays."""
    tx.run(TAKE_LOCK, token=uuid4().hex)
    found = _pending(executor)
    if found:
        executor.migrate()
    return found


def _pending(executor: Executor) -> list[str]:
    analysis = executor.analyze()
    for invalid in analysis.invalid_versions:
        raise _refusal(invalid)
    return [str(migration.source) for migration in analysis.pending_migrations]


def _refusal(invalid: InvalidVersion) -> Invalid:
    code, message, hint = _REFUSALS[invalid.status]
    return Invalid(code, f"migration V{invalid.version} {message}", hint=hint)


def _await_index(store: Neo4jStore, name: str) -> None:
    try:
        store.read(AWAIT_INDEX, name=name, seconds=ONLINE_SECONDS)
    except ClientError as error:
        raise Unavailable(
            "STORE_INDEX_OFFLINE",
            f"index {name} failed, or was not online after {ONLINE_SECONDS} s",
            hint="SHOW INDEXES tells its state.",
        ) from error


def _require_user_name() -> None:
    """Every record names the system's user; an arbitrary user id in a container has no name."""
    try:
        getpass.getuser()
    except (KeyError, OSError) as error:
        raise Invalid(
            "USER_UNNAMED", "this system user has no name to record", hint="Set LOGNAME."
        ) from error
