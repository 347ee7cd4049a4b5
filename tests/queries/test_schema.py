"""What is declared is what the migrations made, nothing more and nothing less."""

import re
from importlib.resources import files
from typing import Any

import pytest
from neo4j import Driver
from neomodel import db

from app.graph.cypher_text import masked
from app.graph.keys import Key, declared_keys
from app.graph.loader import cypher_files
from app.graph.schema import node_classes

PREFIX = "telha_"


def relationship_types() -> set[str]:
    return {
        relation.definition["relation_type"]
        for label in node_classes()
        for relation in label.defined_properties(aliases=False, properties=False).values()
    }


def declared_properties() -> dict[str, set[str]]:
    """The declared properties of every label and relationship type."""
    found = {
        label.__label__: set(label.defined_properties(aliases=False, rels=False))
        for label in node_classes()
    }
    for label in node_classes():
        for relation in label.defined_properties(aliases=False, properties=False).values():
            model = relation.definition["model"]
            names = model.defined_properties(aliases=False, rels=False) if model else ()
            found.setdefault(relation.definition["relation_type"], set()).update(names)
    return found


@pytest.fixture(scope="module")
def installed(driver: Driver) -> list[dict[str, Any]]:
    """Constraints, and indexes that belong to none, of our labels and types or by our names."""
    ours = {label.__label__ for label in node_classes()} | relationship_types()
    with driver.session() as session:
        found = session.run("SHOW CONSTRAINTS YIELD *").data()
        found += session.run(
            "SHOW INDEXES YIELD * WHERE owningConstraint IS NULL AND type <> 'LOOKUP'"
        ).data()
    return [e for e in found if ours & set(e["labelsOrTypes"]) or e["name"].startswith(PREFIX)]


def test_declarations_and_database_are_the_same(installed: list[dict[str, Any]]) -> None:
    unique = {"UNIQUENESS", "RELATIONSHIP_UNIQUENESS"}
    stored = [
        Key(
            e["entityType"],
            on,
            tuple(e["properties"]),
            unique=e["type"] in unique,
            kind="RANGE" if e["type"] in unique else e["type"],
        )
        for e in installed
        for on in e["labelsOrTypes"]
    ]
    assert sorted(map(repr, stored)) == sorted(map(repr, declared_keys()))


def test_every_key_and_index_is_named_as_ours(installed: list[dict[str, Any]]) -> None:
    assert [e["name"] for e in installed if not e["name"].startswith(PREFIX)] == []


def test_a_key_stands_on_declared_labels_and_properties() -> None:
    declared = declared_properties()
    unknown = [k for k in declared_keys() if not set(k.properties) <= declared.get(k.on, set())]
    assert unknown == []


def test_every_label_has_a_tenant_and_every_key_begins_with_one_or_after_the_state() -> None:
    assert [label for label in node_classes() if not hasattr(label, "tenant")] == []
    anchors = {"tenant", "source_key", "target_key", "scope_key"}
    loose = [
        key
        for key in declared_keys()
        if key.kind != "VECTOR"  # what it finds is filtered by tenant
        and key.properties[0] not in anchors
        and key.properties[:2] != ("state", "tenant")
    ]
    assert loose == []


@pytest.mark.parametrize(
    ("name", "text"), list(cypher_files(files("cypher"))), ids=lambda value: value.split("\n")[0]
)
def test_queries_and_migrations_use_declared_labels_and_types(name: str, text: str) -> None:
    known = {label.__label__ for label in node_classes()} | relationship_types()
    used = re.findall(r"[(\[]\s*\w*\s*:\s*(\w+)|(?<=[A-Za-z])\|:?(\w+)", masked(text))
    assert {one or other for one, other in used} <= known, name


@pytest.mark.parametrize(
    ("name", "text"), list(cypher_files(files("cypher"))), ids=lambda value: value.split("\n")[0]
)
def test_queries_and_migrations_use_declared_properties(name: str, text: str) -> None:
    """The server reports an unknown property too, but only until anyone else has used its name."""
    declared = declared_properties()
    kinds: dict[str, set[str]] = {}
    used: list[tuple[str, str]] = []
    plain = masked(text)
    for variable, kind, listed in re.findall(r"[(\[]\s*(\w*)\s*:\s*(\w+)\s*(\{[^}]*\})?", plain):
        kinds.setdefault(variable, set()).update(declared.get(kind, ()))
        used += [(kind, key) for key in re.findall(r"[{,]\s*(\w+)\s*:", listed)]
    assert [(kind, key) for kind, key in used if key not in declared.get(kind, ())] == [], name
    accesses = re.findall(r"(?<![\w.$])(\w+)\.(\w+)", plain)
    assert [a for a in accesses if a[0] in kinds and a[1] not in kinds[a[0]]] == [], name


def test_declaring_opens_no_connection() -> None:
    assert db.driver is None
