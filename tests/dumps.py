"""What a tenant has in the graph, by plain Cypher: rows, counts, and dumps to compare by."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from neo4j import Driver

from app.graph.keys import COMPOSITE_KEYS

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LOCKS = frozenset({"locked_by", "lease_token"})
_DIGESTS = frozenset({"body_digest", "digest"})  # over bodies that hold ids
RUN_TIMES = frozenset(
    {"recorded_at", "last_recorded_at", "tx_from", "tx_to", "created_at", "unindexed_since"}
)

_NUMBERS = frozenset({"seq", "tx", "idx", "day"})
_DUMPED = """
MATCH (n:{label}) WHERE {anchored}
RETURN labels(n) AS labels, properties(n) AS held,
       COLLECT {{ MATCH (n)-[r]->(m)
                 RETURN [type(r), properties(r), labels(m), properties(m)] }} AS out
"""


def _statements() -> Iterator[str]:
    """Yield one statement a label, anchored on its key, so that no dump reads other tenants."""
    single = {"Tenant": ("tenant",), "ChunkIndex": ("tenant",)}
    keys: dict[str, tuple[str, ...]] = {**single, **dict(reversed(COMPOSITE_KEYS))}
    for label, properties in keys.items():
        anchored = " AND ".join(map(_anchor, properties))
        yield _DUMPED.format(label=label, anchored=anchored)


def _anchor(name: str) -> str:
    match name:
        case "tenant":
            return "n.tenant = $tenant"
        case "source_key":
            return "n.source_key STARTS WITH $tenant + '\\u001f'"
        case _:
            return f"n.{name} >= {0 if name in _NUMBERS else repr('')}"


@dataclass(frozen=True)
class Graph:
    """Looks at the graph of tenants beside the store."""

    driver: Driver

    def rows(self, text: str, tenant: str, **parameters: Any) -> list[dict[str, Any]]:
        found = self.driver.execute_query(text, tenant=tenant, **parameters)
        return [record.data() for record in found.records]

    def one(self, text: str, tenant: str, **parameters: Any) -> Any:
        """Return the one value of the one row."""
        [row] = self.rows(text, tenant, **parameters)
        [value] = row.values()
        return value

    def count(self, tenant: str, label: str) -> int:
        return int(self.one(f"MATCH (n:{label} {{tenant: $tenant}}) RETURN count(n)", tenant))

    def dump(self, tenant: str, *, without: Collection[str] = ()) -> list[str]:
        """Return all nodes and relationships, sorted, ids masked, some properties left out."""
        left_out = _LOCKS | _DIGESTS | set(without)

        def shown(*parts: Any) -> str:
            cleaned = [_cleaned(part, left_out) for part in parts]
            text = json.dumps(cleaned, sort_keys=True, ensure_ascii=False, default=repr)
            return _UUID.sub("*", text.replace(tenant, "T"))

        lines = []
        for statement in _statements():
            for row in self.rows(statement, tenant):
                node = (row["labels"], row["held"])
                lines += [shown(*node), *(shown(*node, *related) for related in row["out"])]
        return sorted(lines)


def _cleaned(part: Any, left_out: Collection[str]) -> Any:
    if isinstance(part, dict):
        return {key: held for key, held in part.items() if key not in left_out}
    return part
