"""The store: named statements over Bolt, one frozen row for each record."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, Final, TypeVar, cast

from neo4j import Driver, GraphDatabase, ManagedTransaction, Result, RoutingControl, Session

from app.graph.catalog import Query
from app.graph.errors import translated
from app.graph.loader import Statement, load
from app.ports import Run, Tx

R = TypeVar("R")
T = TypeVar("T")

CONNECT_SECONDS: Final = 5.0
ACQUIRE_SECONDS: Final = 10.0  # may include a connect
RETRY_SECONDS: Final = 12.0  # room for two more lock time-outs; the driver would take 30 s


def open_driver(uri: str, user: str, password: str, *, notifications: bool = False) -> Driver:
    """Return a driver that connects when first used. One a process: it does not survive a fork.

    ``notifications`` lets the server's remarks on queries through; tests read them. Raises
    ``Invalid`` ``STORE_URI_INVALID``.
    """
    with translated():
        return GraphDatabase.driver(
            uri,
            auth=(user, password) if user else None,
            user_agent="telha",
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=ACQUIRE_SECONDS,
            max_transaction_retry_time=RETRY_SECONDS,
            notifications_min_severity="INFORMATION" if notifications else "OFF",
            telemetry_disabled=True,
        )


class Neo4jStore:
    """``app.ports.Store`` over a driver; ``statements`` are by default all of the catalogue.

    Reads see what this store wrote, on a cluster too. Raises what ``app.graph.errors`` tells.
    """

    def __init__(self, driver: Driver, statements: Mapping[str, Statement] | None = None) -> None:
        self._driver: Final = driver
        self._statements: Final = load() if statements is None else statements
        self._bookmarks: Final = GraphDatabase.bookmark_manager()

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        """Run one reading statement in a transaction of its own, again after a transient error."""
        statement = self._reading(query)
        with translated():
            return self._driver.execute_query(
                _text(statement, parameters),
                parameters,
                routing_=RoutingControl.READ,
                bookmark_manager_=self._bookmarks,
                result_transformer_=partial(_rows, statement.name, query.row),
            )

    def reading(self, work: Callable[[Run], T], /) -> T:
        """Run reading statements in one transaction, again after a transient error.

        A transaction reads what is committed, statement by statement, so it is no snapshot; it
        spares each statement its own commit.
        """

        def run(tx: ManagedTransaction, query: Query[R], /, **parameters: object) -> list[R]:
            self._reading(query)
            return _Tx(tx, self._statements).run(query, **parameters)

        with translated(), self._session() as session:
            return session.execute_read(lambda tx: work(partial(run, tx)))

    def write(self, work: Callable[[Tx], T], /) -> T:
        """Run ``work`` as one transaction, again after a transient error for about 12 s."""
        with translated(), self._session() as session:
            return session.execute_write(lambda tx: work(_Tx(tx, self._statements)))

    def _session(self) -> Session:
        return self._driver.session(bookmark_manager=self._bookmarks)

    def _reading(self, query: Query[R]) -> Statement:
        statement = self._statements[query.name]
        if statement.access != "read":
            raise ValueError(f"{query.name} writes: run it in Store.write")
        return statement

    def close(self) -> None:
        """Close the driver and its connections."""
        self._driver.close()


class _Tx:
    """``app.ports.Tx`` over the driver's transaction."""

    def __init__(self, tx: ManagedTransaction, statements: Mapping[str, Statement]) -> None:
        self._tx: Final = tx
        self._statements: Final = statements

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        statement = self._statements[query.name]
        result = self._tx.run(_text(statement, parameters), parameters)
        return _rows(statement.name, query.row, result)


def _text(statement: Statement, parameters: dict[str, Any]) -> str:
    """Return what is sent: the name first, which tells statements apart in the server's log."""
    if parameters.keys() != set(statement.params):
        differing = ", ".join(sorted(parameters.keys() ^ set(statement.params)))
        raise TypeError(f"{statement.name}: parameters given and declared differ in {differing}")
    return f"// {statement.name}\n{statement.text}"


def _rows(name: str, row: type[R], result: Result) -> list[R]:
    names, wanted = result.keys(), {field.name for field in fields(cast("Any", row))}
    if set(names) != wanted:
        differing = ", ".join(sorted(wanted ^ set(names)))
        raise TypeError(f"{name}: columns and {row.__name__} differ in {differing}")
    return [row(**dict(zip(names, record, strict=True))) for record in result]
