"""Keys and indexes that the graph must have: the schema's, and those over several properties.

neomodel can declare the first kind only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from app.graph.schema import node_classes


@dataclass(frozen=True, slots=True)
class Key:
    """A uniqueness constraint, else an index, on a label or a relationship type."""

    entity: Literal["NODE", "RELATIONSHIP"]
    on: str
    properties: tuple[str, ...]
    unique: bool
    kind: Literal["RANGE", "FULLTEXT", "VECTOR"] = "RANGE"


COMPOSITE_KEYS: Final = (
    ("Source", ("tenant", "source_id")),
    ("SourceVersion", ("source_key", "tx")),
    ("Chunk", ("source_key", "text_sha256")),
    ("Spend", ("tenant", "day")),
    ("Override", ("tenant", "override_id")),
    ("Override", ("source_key", "tx")),
    ("Clarification", ("tenant", "clarification_id")),
    ("ClarificationState", ("tenant", "clarification_id", "seq")),
    ("Trace", ("tenant", "trace_id")),
    ("Claim", ("tenant", "trace_id", "idx")),
    ("SAVED_ANSWER", ("tenant", "answer_id")),
    ("SAVED_ANSWER", ("tenant", "live_trace")),
    ("AnswerVersion", ("tenant", "answer_id", "seq")),
    ("Watch", ("tenant", "watch_id")),
    ("Change", ("tenant", "change_id")),
    ("Change", ("target_key", "seq")),
    ("Job", ("tenant", "job_id")),
    ("WatchFire", ("tenant", "fire_id")),
    ("Emit", ("tenant", "emit_id")),
    ("Emit", ("tenant", "open_for")),
    ("Verification", ("tenant", "digest")),
    ("Refresh", ("tenant", "new_answer_id")),
    ("Refresh", ("tenant", "open_for")),
    ("Request", ("tenant", "operation", "request_id")),
    ("AuditEvent", ("tenant", "event_id")),
)
COMPOSITE_INDEXES: Final = (
    ("SourceVersion", ("source_key", "valid_from", "tx")),
    ("SourceVersion", ("source_key", "corrects_tx")),
    ("SourceVersion", ("source_key", "chunked_by")),
    ("Source", ("tenant", "unindexed_since")),
    ("Chunk", ("tenant", "text_sha256")),
    ("Override", ("source_key", "valid_from")),
    ("Clarification", ("tenant", "source_id")),
    ("SAVED_ANSWER", ("tenant", "recheck_due_at")),
    ("SAVED_ANSWER", ("tenant", "status")),
    ("Change", ("state", "tenant", "recorded_at")),
    ("Job", ("state", "tenant", "run_at", "created_at")),
    ("Emit", ("state", "tenant", "due_at")),
    ("AuditEvent", ("tenant", "at")),
)
SEARCH_INDEXES: Final = (
    Key("NODE", "Chunk", ("scope_key", "text"), unique=False, kind="FULLTEXT"),
    Key("NODE", "Chunk", ("embedding",), unique=False, kind="VECTOR"),
)
RELATIONSHIP_KEYS: Final = (("WINS", ("source_key", "valid_from")),)
RELATIONSHIP_INDEXES: Final = (
    ("WON", ("source_key", "tx_from", "tx_to", "valid_from", "valid_to")),
    ("WON", ("source_key", "valid_from", "tx_from", "tx_to", "valid_to")),
)


def declared_keys() -> frozenset[Key]:
    """Return all that the database must have, and nothing else."""
    return frozenset(
        [
            *_single_keys(),
            *SEARCH_INDEXES,
            *(Key("NODE", on, properties, unique=True) for on, properties in COMPOSITE_KEYS),
            *(Key("NODE", on, properties, unique=False) for on, properties in COMPOSITE_INDEXES),
            *(Key("RELATIONSHIP", on, props, unique=True) for on, props in RELATIONSHIP_KEYS),
            *(Key("RELATIONSHIP", on, props, unique=False) for on, props in RELATIONSHIP_INDEXES),
        ]
    )


def _single_keys() -> Iterator[Key]:
    for label in node_classes():
        for name, declared in label.defined_properties(aliases=False, rels=False).items():
            if declared.unique_index or declared.index:
                yield Key("NODE", label.__label__, (name,), unique=declared.unique_index)
