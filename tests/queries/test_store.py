"""The store: strict parameters and rows, one transaction or nothing, errors that help."""

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import uuid4

import pytest
from neo4j import Driver
from neo4j.exceptions import (
    ConnectionAcquisitionTimeoutError,
    ConstraintError,
    CypherSyntaxError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    TransientError,
)

from app.core.errors import Conflict, Invalid, TelhaError, Unavailable
from app.graph.catalog import Query
from app.graph.errors import told_as
from app.graph.loader import Statement
from app.graph.rows import Nothing
from app.graph.store import Neo4jStore, open_driver
from app.local.stack import Endpoints
from app.ports import Run, Store, Tx

PASSWORD = "correct horse battery staple"


@dataclass(frozen=True)
class Count:
    n: int


@dataclass(frozen=True)
class Other:
    m: int


READ = Query("test/read", Count)
LIES = Query("test/lies", Count)
OTHER = Query("test/read", Other)
CREATE = Query("test/create", Nothing)
LOCK = Query("test/lock", Count)


def statement(name: str, text: str, access: str = "write", *params: str) -> Statement:
    return Statement(name, name, params, (), access, None, text)


STATEMENTS = {
    made.name: made
    for made in (
        statement("test/read", "MATCH (n:Tenant {tenant: $t}) RETURN count(n) AS n", "read", "t"),
        statement("test/lies", "CREATE (n:Tenant {tenant: $t}) RETURN 1 AS n", "read", "t"),
        statement("test/create", "CREATE (:Tenant {tenant: $t})", "write", "t"),
        statement(
            "test/lock",
            "MATCH (n:Tenant {tenant: $t}) SET n.locked_by = $t RETURN 1 AS n",
            "write",
            "t",
        ),
    )
}


@pytest.fixture
def store(driver: Driver) -> Store:
    return Neo4jStore(driver, STATEMENTS)


@pytest.fixture
def name(driver: Driver) -> Iterator[str]:
    made = f"test-{uuid4().hex}"
    yield made
    with driver.session() as session:
        query = "MATCH (n:Tenant) WHERE n.tenant STARTS WITH $t DETACH DELETE n"
        session.run(query, t=made).consume()


def test_records_become_rows(store: Store, name: str) -> None:
    assert store.read(READ, t=name) == [Count(0)]


def test_a_column_that_the_row_does_not_have_is_an_error(store: Store, name: str) -> None:
    with pytest.raises(TypeError, match=r"test/read: columns and Other differ in m, n"):
        store.read(OTHER, t=name)


def test_parameters_given_are_those_declared(store: Store, name: str) -> None:
    for given in ({}, {"t": name, "u": 1}):
        with pytest.raises(TypeError, match="test/read: parameters given and declared differ in"):
            store.read(READ, **given)


def test_a_read_runs_no_query_that_writes(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="test/create writes"):
        store.read(CREATE, t=name)


def test_a_read_that_writes_all_the_same_is_refused_by_the_server(store: Store, name: str) -> None:
    with pytest.raises(Neo4jError, match="read access mode"):
        store.read(LIES, t=name)
    assert store.read(READ, t=name) == [Count(0)]


def test_statements_read_together_run_nothing_that_writes(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="test/create writes"):
        store.reading(lambda run: run(CREATE, t=name))
    with pytest.raises(Neo4jError, match="read access mode"):
        store.reading(lambda run: run(LIES, t=name))
    assert store.read(READ, t=name) == [Count(0)]


def test_each_of_the_statements_read_together_sees_what_is_committed_by_then(
    store: Store, name: str
) -> None:
    def work(run: Run) -> list[Count]:
        before = run(READ, t=name)
        store.write(lambda tx: tx.run(CREATE, t=name))
        return before + run(READ, t=name)

    assert store.reading(work) == [Count(0), Count(1)]


def test_a_write_commits_when_the_work_returns(store: Store, name: str) -> None:
    def work(tx: Tx) -> list[Count]:
        assert tx.run(CREATE, t=name) == []
        return tx.run(READ, t=name)

    assert store.write(work) == [Count(1)]
    assert store.read(READ, t=name) == [Count(1)]


def test_a_write_that_fails_leaves_nothing(store: Store, name: str) -> None:
    def work(tx: Tx) -> None:
        tx.run(CREATE, t=name)
        raise Conflict("NO", "no")

    with pytest.raises(Conflict, match="no"):
        store.write(work)
    assert store.read(READ, t=name) == [Count(0)]


def test_a_key_that_is_taken_is_a_conflict(store: Store, name: str) -> None:
    store.write(lambda tx: tx.run(CREATE, t=name))
    with pytest.raises(Conflict) as caught:
        store.write(lambda tx: tx.run(CREATE, t=name))
    assert caught.value.code == "STORE_KEY_TAKEN"
    assert name not in str(caught.value)


def test_a_deadlock_is_tried_again(store: Store, name: str) -> None:
    def create(tx: Tx) -> None:
        tx.run(CREATE, t=f"{name}-a")
        tx.run(CREATE, t=f"{name}-b")

    store.write(create)
    both_hold_one = threading.Barrier(2)
    runs: list[str] = []

    def cross(mine: str, theirs: str) -> None:
        def work(tx: Tx) -> None:
            runs.append(mine)
            tx.run(LOCK, t=mine)
            if runs.count(mine) == 1:
                both_hold_one.wait(10)
            tx.run(LOCK, t=theirs)

        store.write(work)

    with ThreadPoolExecutor(2) as pool:
        done = [
            pool.submit(cross, f"{name}-a", f"{name}-b"),
            pool.submit(cross, f"{name}-b", f"{name}-a"),
        ]
    assert [future.exception() for future in done] == [None, None]
    assert len(runs) == 3


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.read(READ, t="x"),
        lambda store: store.reading(lambda run: run(READ, t="x")),
    ],
    ids=["read", "reading"],
)
def test_a_server_that_is_not_there_is_unavailable_within_the_retry_time(
    ask: Callable[[Store], object],
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        uri = f"bolt://127.0.0.1:{taken.getsockname()[1]}"
        with open_driver(uri, "neo4j", PASSWORD) as absent, pytest.raises(Unavailable) as caught:
            ask(Neo4jStore(absent, STATEMENTS))
    assert caught.value.code == "STORE_UNAVAILABLE"
    assert caught.value.hint
    assert PASSWORD not in str(caught.value)


def test_a_refused_user_is_told_without_the_password(endpoints: Endpoints) -> None:
    if not endpoints.neo4j_user:
        pytest.skip("this server asks for no user")
    unknown = open_driver(endpoints.neo4j_uri, "nobody", PASSWORD)
    with unknown, pytest.raises(Unavailable) as caught:
        Neo4jStore(unknown, STATEMENTS).read(READ, t="x")
    assert caught.value.code == "STORE_AUTH_FAILED"
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize("uri", ["http://host:7474", "localhost", "bolt://u:secret@host:7687"])
def test_an_address_that_is_none_is_invalid(uri: str) -> None:
    with pytest.raises(Invalid) as caught:
        open_driver(uri, "neo4j", PASSWORD)
    assert caught.value.code == "STORE_URI_INVALID"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ServiceUnavailable("gone"), "STORE_UNAVAILABLE"),
        (IncompleteCommit("gone"), "STORE_OUTCOME_UNKNOWN"),
        (TransientError("LockAcquisitionTimeout"), "STORE_BUSY"),
        (ConnectionAcquisitionTimeoutError("none free"), "STORE_BUSY"),
        (ConstraintError("taken"), "STORE_KEY_TAKEN"),
        (
            Neo4jError._hydrate_neo4j(code="Neo.DatabaseError.Transaction.TransactionLogError"),
            "STORE_BROKEN",
        ),
        (
            Neo4jError._hydrate_neo4j(code="Neo.ClientError.Security.Unauthorized"),
            "STORE_AUTH_FAILED",
        ),
    ],
)
def test_what_the_driver_raises_is_told_as(error: DriverError | Neo4jError, code: str) -> None:
    told = told_as(error)
    assert isinstance(told, TelhaError)
    assert told.code == code


def test_a_fault_in_our_own_text_stays_what_it_is() -> None:
    assert told_as(CypherSyntaxError("Invalid input")) is None


def test_remarks_on_queries_stay_out_of_logs_unless_asked_for(
    endpoints: Endpoints, driver: Driver
) -> None:
    text = "MATCH (n:NoSuchLabelAnywhere) RETURN n"
    quiet = open_driver(endpoints.neo4j_uri, endpoints.neo4j_user, endpoints.neo4j_password)
    with quiet, quiet.session() as session:
        assert not [s for s in session.run(text).consume().gql_status_objects if s.is_notification]
    with driver.session() as session:
        assert [s for s in session.run(text).consume().gql_status_objects if s.is_notification]
