"""What the server itself says of every query: columns, no remarks, and no way out of a tenant."""

import pytest
from neo4j import Driver

from app.graph.audits import load_audits
from app.graph.cypher_text import parameters
from app.graph.loader import Statement, load
from app.graph.queries.audit import Audit
from tests.queries.plans import escapes, explain, know_schema

STATEMENTS = load()
AUDITS = load_audits()

# The few queries that span tenants. One more is a decision: it joins here with its reason.
ALL_TENANTS = {
    "change/read_tenants": "the relay serves every tenant, one at a time",
    "clock/read_offset": "one clock for the whole stack",
    "clock/set_offset": "the clock belongs to the stack, its tenant is '*'",
    "index/read_tenants": "the relay serves every tenant, one at a time",
    "emit/read_tenants": "the relay serves every tenant, one at a time",
    "job/read_tenants": "the relay serves every tenant, one at a time",
    "migrate/await_index": "indexes belong to no tenant",
    "migrate/prepare_lock": "the schema belongs to no tenant",
    "migrate/read_offline": "indexes belong to no tenant",
    "migrate/take_lock": "the schema belongs to no tenant",
    "watch/read_tenants": "the sweep serves every tenant, one at a time",
}


@pytest.fixture(scope="module")
def server(driver: Driver) -> Driver:
    know_schema(driver)
    return driver


def test_the_queries_that_span_tenants_are_these() -> None:
    found = {s.name: s.all_tenants for s in STATEMENTS.values() if s.all_tenants is not None}
    assert found == ALL_TENANTS


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_a_query_is_planned_without_a_remark(server: Driver, statement: Statement) -> None:
    explained = explain(server, statement.text, dict.fromkeys(statement.params))
    assert explained.notifications == []
    assert set(explained.columns) == set(statement.columns)


@pytest.mark.parametrize(
    "statement", [s for s in STATEMENTS.values() if s.name not in ALL_TENANTS], ids=lambda s: s.name
)
def test_a_query_stays_inside_a_tenant(server: Driver, statement: Statement) -> None:
    explained = explain(server, statement.text, dict.fromkeys(statement.params))
    assert escapes(explained.plan, statement.params) == []


@pytest.mark.parametrize("audit", AUDITS.values(), ids=AUDITS)
def test_an_audit_is_planned_without_a_remark_inside_a_tenant(server: Driver, audit: Audit) -> None:
    explained = explain(server, audit.text, dict(audit.examples))
    assert explained.notifications == []
    assert escapes(explained.plan, list(audit.examples)) == []


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n.tenant",
        "MATCH (a:SAVED_ANSWER) WHERE a.tenant = $tenant OR a.status = 'ok' RETURN a.title",
        "MATCH (a:SAVED_ANSWER) WHERE a.tenant <> $tenant RETURN a.title",
        "MATCH (a:SAVED_ANSWER) WHERE a.tenant >= $tenant RETURN a.title",
        "MATCH (a:SAVED_ANSWER) RETURN count(a)",
        "MATCH ()-[w:WINS]->() RETURN count(w)",
        "MATCH (a:SAVED_ANSWER {tenant: 'acme', answer_id: $tenant}) RETURN a.title",
        "MATCH (a:SAVED_ANSWER {tenant: $tenant}) MATCH (b:SAVED_ANSWER) RETURN a.title, b.title",
        "MATCH (a:SAVED_ANSWER {tenant: $tenant}), (c:Change {state: 'open'}) RETURN a.seq, c.seq",
        "MATCH (n) WHERE elementId(n) = $tenant RETURN n.tenant",
        "MATCH ()-[w:WINS]->(v) WHERE w.valid_from = $tenant RETURN v.text",
        "CALL db.index.fulltext.queryNodes($tenant, 'x') YIELD node RETURN node.text",
        (
            "CALL db.index.fulltext.queryNodes('telha_chunk_text_index', $tenant) YIELD node AS c"
            " RETURN c.text"
        ),
        (
            "CALL db.index.fulltext.queryNodes('telha_chunk_text_index', $tenant) YIELD node AS c"
            " WHERE c.tenant > $tenant RETURN c.text"
        ),
        (
            "CALL db.index.fulltext.queryNodes('telha_chunk_text_index', $tenant) YIELD node AS c"
            " WITH c, count(*) AS n WHERE c.tenant = $tenant RETURN c.text, n"
        ),
        "CREATE (:Job {job_id: $tenant})",
        "CREATE (:Job)",
        "CREATE (j) SET j.tenant = $tenant",
        "CREATE (j:Job {tenant: $tenant})-[:BECAUSE]->(:Change {change_id: 'x'})",
        "MERGE (s:Source {source_key: $tenant})",
        "FOREACH (x IN [1, 2] | CREATE (:Job {job_id: $tenant}))",
        "MATCH (a:Trace {tenant: $tenant}) RETURN COUNT { MATCH (b:Job) WHERE b.state = a.kind }",
    ],
)
def test_a_query_that_leaves_its_tenant_is_seen(server: Driver, text: str) -> None:
    assert parameters(text) <= {"tenant"}
    assert escapes(explain(server, text, {"tenant": None}).plan, ["tenant"])


def test_a_name_that_the_schema_does_not_declare_is_remarked(server: Driver) -> None:
    text = "MATCH (n:Source {tenant: $tenant}) RETURN n.tiles_seq, n.no_such_property"
    (remark,) = explain(server, text, {"tenant": None}).notifications
    assert "no_such_property" in remark.status_description
