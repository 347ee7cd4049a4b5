"""What a tenant has in the graph, by plain Cypher: rows, counts, and dumps to compare by."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from neo4j import Driver

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LOCKS = frozenset({"locked_by", "lease_token"})
_DIGESTS = frozenset({"body_digest", "digest"})  # over bodies that hold ids
RUN_TIMES = frozenset({"recorded_at", "last_recorded_at", "tx_from", "tx_to", "created_at"})

_NODES = "MATCH (n {tenant: $tenant}) RETURN labels(n) AS labels, properties(n) AS held"
_RELS = """
MATCH (a {tenant: $tenant})-[r]->(b)
RETURN type(r) AS type, properties(r) AS held, labels(a) AS from_labels, properties(a) AS from_held,
       labels(b) AS to_labels, properties(b) AS to_held
"""


@dataclass(frozen=True)
class Graph:
    """Looks at the graph of tenants beside the store."""

    driver: Driver

    def rows(self, text: str, tenant: str, **parameters: Any) -> list[dict[str, Any]]:
        with self.driver.session() as session:
            result = session.run(text, tenant=tenant, **parameters)
            return [record.data() for record in result]

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

        def shown(row: dict[str, Any]) -> str:
            cleaned = [_cleaned(part, left_out) for part in row.values()]
            text = json.dumps(cleaned, sort_keys=True, ensure_ascii=False)
            return _UUID.sub("*", text.replace(tenant, "T"))

        return sorted(map(shown, self.rows(_NODES, tenant) + self.rows(_RELS, tenant)))


def _cleaned(part: Any, left_out: Collection[str]) -> Any:
    if isinstance(part, dict):
        return {key: held for key, held in part.items() if key not in left_out}
    return part
