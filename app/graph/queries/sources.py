"""Queries that show sources: ``cypher/sources``."""

from dataclasses import dataclass

from app.graph.catalog import Query


@dataclass(frozen=True, slots=True)
class VersionDetail:
    """One version of a source; times in µs. ``text`` is ``None`` in lists and for an end."""

    source_id: str
    tx: int
    valid_from: int
    valid_to: int
    recorded_at: int
    observed_at: int
    ends: bool
    corrects_tx: int | None
    override_only: bool
    removal: str | None
    origin: str | None
    text: str | None


READ_VERSION = Query("sources/read_version", VersionDetail)
LIST_VERSIONS = Query("sources/list_versions", VersionDetail)
