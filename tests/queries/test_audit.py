"""Audit queries on a real graph: healthy as the flow leaves it, and every break by hand is seen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from neo4j import Driver, Transaction
from neomodel import StructuredNode

from app.core.errors import Invalid, NotFound, TelhaError
from app.flow.audit import broken_invariants, list_audits, run_audit
from app.graph.audits import Neo4jAudits, load_audits, plain
from app.graph.schema import node_classes
from app.graph.store import Neo4jStore
from tests.builders import NOON, Cite, Said, World, refused
from tests.queries.audit_breaks import BREAKS, Break
from tests.queries.audit_story import Story, told
from tests.queries.plans import operators

AUDITS = load_audits()
INVARIANTS = {name for name, audit in AUDITS.items() if audit.invariant}
DOCUMENT = (Path(__file__).parents[2] / "docs/audit.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def audits(driver: Driver) -> Neo4jAudits:
    return Neo4jAudits(driver)


@pytest.fixture(scope="module")
def story(store: Neo4jStore) -> Story:
    return told(World(store))


@pytest.fixture
def tx(driver: Driver) -> Iterator[Transaction]:
    """A transaction whose breaks are undone."""
    with driver.session() as session, session.begin_transaction() as opened:
        yield opened
        opened.rollback()


def run(tx: Transaction, text: str, **parameters: object) -> list[dict[str, object]]:
    result = tx.run(text, parameters)
    names = result.keys()
    return [dict(zip(names, map(plain, record), strict=True)) for record in result]


# Invariants


def test_every_invariant_holds_in_a_graph_that_holds_some_of_everything(
    audits: Neo4jAudits, story: Story
) -> None:
    assert broken_invariants(audits, story.world.tenant) == {}


def test_the_story_holds_some_of_everything(driver: Driver, story: Story) -> None:
    with driver.session() as session:
        found = session.run(
            "MATCH (n {tenant: $tenant}) OPTIONAL MATCH (n)-[r]->() "
            "RETURN collect(DISTINCT labels(n)[0]) AS labels, collect(DISTINCT type(r)) AS types",
            tenant=story.world.tenant,
        ).single(strict=True)
    assert set(found["labels"]) == labels() - {"Clock", "MigrationLock"}
    assert {"WON", "CORRECTS", "AFFECTED_BY", "BECAUSE", "OF", "BINDS"} <= set(found["types"])


@pytest.mark.parametrize("break_", BREAKS, ids=lambda b: f"{b.invariant}-{b.name}")
def test_a_break_is_seen(tx: Transaction, story: Story, break_: Break) -> None:
    changed = tx.run(break_.text, story.names).consume().counters
    assert changed.contains_updates, "the break broke nothing"
    rows = run(tx, AUDITS[break_.invariant].text, tenant=story.world.tenant)
    assert rows
    assert break_.told in str(rows)


@pytest.mark.parametrize("removal", ["retention", "erasure"])
def test_a_correction_removed_for_good_still_corrects(
    tx: Transaction, story: Story, removal: str
) -> None:
    """Both of ``cap`` lie under an override, so that a blank among them moves no tile."""
    removed = tx.run(
        "MATCH (v:SourceVersion {tenant: $tenant, source_id: 'cap'})-[:CORRECTS]->() "
        "SET v.removal = $removal, v.tombstoned_at = 1",
        {"tenant": story.world.tenant, "removal": removal},
    )
    assert removed.consume().counters.properties_set == 4
    for name in ("candidates_equal_definition", "tiles_gap_free", "required_properties"):
        assert run(tx, AUDITS[name].text, tenant=story.world.tenant) == []


def test_every_invariant_has_breaks() -> None:
    assert {each.invariant for each in BREAKS} == INVARIANTS


def labels() -> set[str]:
    return {label.__label__ for label in node_classes()}


def required(label: type[StructuredNode]) -> list[str]:
    declared = label.defined_properties(aliases=False, rels=False)
    return [name for name, each in declared.items() if each.required or each.unique_index]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        (label.__label__, name)
        for label in node_classes()
        for name in required(label)
        if label.__label__ not in {"ChunkIndex", "Clock", "MigrationLock", "Request", "Spend"}
        and (label.__label__, name) != ("Tenant", "tenant")
    ],
)
def test_a_node_without_a_required_property_is_seen(
    tx: Transaction, story: Story, label: str, name: str
) -> None:
    """Also one without its key, which is in no index, as long as it is tied to something."""
    lost = f"MATCH (n:{label} {{tenant: $tenant}})--() WITH n LIMIT 1 REMOVE n.{name}"
    assert tx.run(lost, story.names).consume().counters.properties_set == 1
    rows = run(tx, AUDITS["required_properties"].text, tenant=story.world.tenant)
    assert [(row["what"], row["missing"]) for row in rows] == [(label, [name])]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("WINS", name) for name in ("source_key", "valid_from", "valid_to", "tx_from")),
        *(("WON", name) for name in ("source_key", "valid_from", "valid_to", "tx_from", "tx_to")),
        *(("CITES", name) for name in ("start", "end", "quote_sha256")),
        *(("HOLDS", name) for name in ("start", "end")),
        ("WATCHES", "idx"),
        ("AFFECTED_BY", "idx"),
    ],
)
def test_a_relationship_without_a_required_property_is_seen(
    tx: Transaction, story: Story, kind: str, name: str
) -> None:
    lost = f"MATCH ({{tenant: $tenant}})-[r:{kind}]->() WITH r LIMIT 1 REMOVE r.{name}"
    assert tx.run(lost, story.names).consume().counters.properties_set == 1
    rows = run(tx, AUDITS["required_properties"].text, tenant=story.world.tenant)
    assert [(row["what"], row["missing"]) for row in rows] == [(kind, [name])]


# Cost


@pytest.mark.parametrize("name", sorted(INVARIANTS))
def test_an_invariant_costs_no_more_than_in_proportion(
    driver: Driver, sizes: tuple[World, World], name: str
) -> None:
    small, large = (hits(driver, AUDITS[name].text, world.tenant) for world in sizes)
    assert large < 4.5 * small + 100


@pytest.fixture(scope="module")
def sizes(store: Neo4jStore) -> tuple[World, World]:
    """Two tenants, one with four times as many sources and answers as the other."""
    return grown(World(store), 3), grown(World(store), 12)


def grown(world: World, size: int) -> World:
    for n in range(size):
        tx = world.version(f"s{n}", "One.").tx
        world.saved(Said("One.", [Cite(f"s{n}", tx, "One")]))
        world.clock.advance(1)
        world.version(f"s{n}", "Two.")
    world.settle()
    return world


def hits(driver: Driver, text: str, tenant: str) -> int:
    profile = driver.execute_query(f"PROFILE {text}", tenant=tenant).summary.profile
    assert profile is not None
    return sum(operator.get("dbHits", 0) for operator in operators(profile))


# Listing and running


def test_audits_are_listed_with_an_example_for_each_parameter(audits: Neo4jAudits) -> None:
    listed = {audit.name: audit for audit in list_audits(audits)}
    assert list(listed) == sorted(AUDITS)
    assert listed["answers_due"].parameters.keys() == {"from", "until"}
    assert listed["tiles_gap_free"].invariant
    assert not listed["answers_due"].invariant


def test_an_invariant_asks_for_the_tenant_alone() -> None:
    assert {parameter for name in INVARIANTS for parameter in AUDITS[name].examples} == {"tenant"}


@pytest.mark.parametrize("name", sorted(AUDITS))
def test_a_tenant_without_anything_has_nothing_to_show(audits: Neo4jAudits, name: str) -> None:
    given = {k: v for k, v in AUDITS[name].examples.items() if k != "tenant"}
    assert run_audit(audits, "t-nobody", name, given, now=NOON) == []


@pytest.mark.parametrize("name", sorted(set(AUDITS) - INVARIANTS))
def test_another_tenant_sees_nothing_of_ours(audits: Neo4jAudits, story: Story, name: str) -> None:
    answer_id = story.verified if name == "verdicts_of_answer" else story.answer
    asked = {"answer_id": answer_id, "source_id": "cap", "from": 0, "until": 9 * 10**15}
    given = {key: asked.get(key, held) for key, held in AUDITS[name].examples.items()}
    given.pop("tenant")
    assert run_audit(audits, story.world.tenant, name, given, now=story.world.clock.now())
    assert run_audit(audits, "t-nobody", name, given, now=NOON) == []


def ask(audits: Neo4jAudits, name: str, **given: object) -> list[dict[str, object]]:
    return run_audit(audits, "t-nobody", name, given, now=NOON)


@pytest.mark.parametrize(
    ("call", "kind", "code", "where"),
    [
        (lambda a: ask(a, "tiles_gap"), NotFound, "AUDIT_UNKNOWN", "name"),
        (lambda a: ask(a, "zzz"), NotFound, "AUDIT_UNKNOWN", "name"),
        (lambda a: ask(a, "history_of_answer"), Invalid, "AUDIT_PARAMETER", "answer_id"),
        (lambda a: ask(a, "answers_due", until=1), Invalid, "AUDIT_PARAMETER", "from"),
        (lambda a: ask(a, "tiles_gap_free", at=1), Invalid, "AUDIT_PARAMETER", "at"),
        (lambda a: ask(a, "tiles_gap_free", tenant="x"), Invalid, "AUDIT_PARAMETER", "tenant"),
        (
            lambda a: ask(a, "sources_with_most_dependants", limit="many"),
            Invalid,
            "AUDIT_PARAMETER",
            "limit",
        ),
        (
            lambda a: ask(a, "history_of_answer", answer_id=7),
            Invalid,
            "AUDIT_PARAMETER",
            "answer_id",
        ),
        (
            lambda a: run_audit(a, "", "tiles_gap_free", {}, now=NOON),
            Invalid,
            "TENANT_INVALID",
            "tenant",
        ),
    ],
)
def test_what_cannot_be_run_names_what_is_wrong(
    audits: Neo4jAudits,
    call: Callable[[Neo4jAudits], object],
    kind: type[TelhaError],
    code: str,
    where: str,
) -> None:
    refusal = refused(lambda: call(audits))
    assert isinstance(refusal, kind)
    assert (refusal.code, refusal.field) == (code, where)


def test_an_unknown_name_is_answered_with_those_alike(audits: Neo4jAudits) -> None:
    assert "tiles_gap_free" in (refused(lambda: ask(audits, "tiles_gap")).hint or "")
    assert "history_of_answer" in (refused(lambda: ask(audits, "zzz")).hint or "")


def test_integers_may_be_written_as_on_a_command_line(audits: Neo4jAudits, story: Story) -> None:
    tenant = story.world.tenant
    forms: list[dict[str, object]] = [
        {"from": 0, "until": 10**15 * 9},
        {"from": "0", "until": "2255-03-11T16:00:00Z"},
    ]
    first, second = (run_audit(audits, tenant, "answers_due", f, now=NOON) for f in forms)
    assert first == second != []


def test_the_instant_is_now_unless_it_is_given(audits: Neo4jAudits, story: Story) -> None:
    asked: dict[str, object] = {"answer_id": story.answer}
    rows = run_audit(audits, story.world.tenant, "citations_of_answer", asked, now=NOON + 9)
    assert {row["at"] for row in rows} == {NOON + 9}
    rows = run_audit(
        audits, story.world.tenant, "citations_of_answer", asked | {"at": NOON}, now=NOON + 9
    )
    assert {row["at"] for row in rows} == {NOON}


# The document


def test_the_document_lists_every_audit_with_its_parameters() -> None:
    rows = [line.split("|") for line in DOCUMENT.splitlines() if line.startswith("| `")]
    listed = {row[1].strip(" `"): row[3].replace("`", "").split() for row in rows}
    wanted = {
        name: [parameter for parameter in audit.examples if parameter != "tenant"]
        for name, audit in AUDITS.items()
    }
    assert {
        name: [p.strip(",") for p in given if p != "–"] for name, given in listed.items()
    } == wanted


def test_the_document_tells_invariants_apart() -> None:
    _, _, invariants = DOCUMENT.partition("## What must always hold")
    assert {name for name in AUDITS if f"| `{name}` |" in invariants} == INVARIANTS
