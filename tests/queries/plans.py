"""What the server says it would do: plans of EXPLAIN, and whether a plan can leave a tenant.

A plan's leaves are where it enters the graph; from there it only follows relationships, and none
leads from one tenant to another. So a query stays inside a tenant if every leaf seeks an index by
tenant, or by a key that begins with one, and if every node that it creates has a tenant. A search
in an index of texts or vectors cannot seek by tenant: what it finds must be filtered by it at once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from neo4j import Driver, GqlStatusObject

from app.graph.schema import node_classes

ANCHORS = ("tenant", "source_key", "target_key")
NO_ENTRY = frozenset({"Argument", "Unwind", "EmptyRow"})  # leaves that read nothing


@dataclass(frozen=True)
class Explained:
    """Columns, notifications and plan of a statement."""

    columns: tuple[str, ...]
    notifications: list[GqlStatusObject]
    plan: dict[str, Any]


def explain(driver: Driver, text: str, parameters: dict[str, Any]) -> Explained:
    """Return what the server plans; nothing runs."""
    with driver.session() as session:
        result = session.run(f"EXPLAIN {text}", parameters)
        columns = tuple(result.keys())
        summary = result.consume()
    assert summary.plan is not None
    told = [status for status in summary.gql_status_objects if status.is_notification]
    return Explained(columns, told, summary.plan)


def know_schema(driver: Driver) -> None:
    """Have the server know every declared name, so that only undeclared ones are reported.

    An empty database reports all labels and properties as unknown. A name stays known after the
    transaction that used it was rolled back, so nothing is left behind.
    """
    with driver.session() as session, session.begin_transaction() as tx:
        for label in node_classes():
            names = label.defined_properties(aliases=False, rels=False)
            tx.run(f"CREATE (n:`{label.__label__}`) SET n = $p", p=dict.fromkeys(names, 0))
            for relation in label.defined_properties(aliases=False, properties=False).values():
                kind, model = relation.definition["relation_type"], relation.definition["model"]
                names = model.defined_properties(aliases=False, rels=False) if model else {}
                tx.run(f"CREATE ()-[r:`{kind}`]->() SET r = $p", p=dict.fromkeys(names, 0))
        tx.rollback()


def operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every operator of a plan."""
    yield plan
    for child in plan.get("children", ()):
        yield from operators(child)


def escapes(plan: dict[str, Any], parameters: Sequence[str]) -> list[str]:
    """Return where a plan reads or creates outside of a tenant that is given or was reached."""
    found = []
    searches = list(_searches_of_tenant(plan))
    for operator in operators(plan):
        if any(operator is search for search in searches):
            continue
        kind = operator["operatorType"].partition("@")[0]
        details = operator["args"].get("Details", "")
        if kind == "Create" or "CREATE (" in details:
            found += [f"{kind} {node}" for node in _created_without_tenant(details)]
        elif kind == "MergeUniqueNode":  # the newer line's seek, else creation, in one operator
            found += [] if _merges_tenant(details, parameters) else [f"{kind} {details}"]
        elif not operator.get("children") and kind not in NO_ENTRY:
            found += [] if _seeks_tenant(details, parameters) else [f"{kind} {details}"]
    return found


def _searches_of_tenant(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the searches whose every hit passes a filter by the given tenant before all else."""
    for operator in operators(plan):
        told = operator["args"].get("Details", "")
        filters = [] if " OR " in told else told.strip("()").split(" AND ")
        for child in operator.get("children", ()):
            search = re.match(
                r"db\.index\.(?:fulltext|vector)\.queryNodes\(.*\) :: \((\w+) :: NODE,",
                child["args"].get("Details", ""),
            )
            if (
                search
                and operator["operatorType"].startswith("Filter@")
                and f"{search[1]}.tenant = $tenant" in filters
            ):
                yield child


def _seeks_tenant(details: str, parameters: Sequence[str]) -> bool:
    """Tell whether an index is sought by a tenant or key that is given or was read before."""
    seek, _, predicates = details.partition(" WHERE ")
    if not re.match(r"(RANGE INDEX|UNIQUE) ", seek):
        return False
    for predicate in re.split(r" AND |, cache\[", predicates):
        name, equal, value = predicate.partition(" = ")
        given = value[1:] in parameters if value.startswith("$") else True
        if name in ANCHORS and equal and given:
            return True
    return False


def _merges_tenant(details: str, parameters: Sequence[str]) -> bool:
    """Tell whether a node is sought by tenant or key, and has a tenant where it is created."""
    seek, _, sets = details.partition(",  ON CREATE SET ")
    keyed = re.match(r"UNIQUE (\w+):\w+\(([\w, ]+)\)", seek)
    if keyed is None or not _seeks_tenant(seek, parameters):
        return False
    return "tenant" in keyed[2].split(", ") or f"{keyed[1]}.tenant = " in sets


def _created_without_tenant(details: str) -> Iterator[str]:
    for found in re.finditer(r"\((\w+):\w+(?: \{(.*?)\}\)|\))", details, re.DOTALL):
        name, properties = found.groups()
        if "tenant: " not in (properties or "") and f"SET {name}.tenant = " not in details:
            yield found.group()
    yield from re.findall(r"(?<![\w>-])\(\w+\)(?![-<])", details)  # a node without any label
