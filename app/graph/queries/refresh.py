"""Queries of the step ``refresh``: ``cypher/refresh``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class OldAnswer:
    """An answer that is to be refreshed; ``head_*`` is the newest of its chain, maybe itself."""

    status: str
    deleted_at: int | None
    changed_at: int
    refreshes: int
    open_id: str | None
    head_id: str | None
    head_deleted_at: int | None


@dataclass(frozen=True, slots=True)
class RefreshRow:
    """A refresh; times in µs."""

    new_answer_id: str
    answer_id: str
    state: str
    reason: str | None
    requested_by: str | None
    recorded_at: int
    finished_at: int | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a refresh asks again, and for whom; ``valid_time`` (µs) where it was pinned.

    ``source_ids`` are those that the question was put to, none for all.
    """

    new_answer_id: str
    answer_id: str
    question: str
    valid_time: int | None
    source_ids: list[str]
    title: str | None
    created_by_person: str | None
    created_by_key: str | None
    requested_by: str | None


@dataclass(frozen=True, slots=True)
class Link:
    """Two answers, and whether the new one came to supersede the old."""

    old_trace_id: str
    new_trace_id: str
    linked: bool


LOCK_OLD = Query("refresh/lock_old", OldAnswer)
OPEN_REFRESH = Query("refresh/open_refresh", Nothing)
READ_REFRESH = Query("refresh/read_refresh", RefreshRow)
READ_JOB = Query("refresh/read_job", Asked)
SUPERSEDE = Query("refresh/supersede", Nothing)
END_REFRESH = Query("refresh/end_refresh", Nothing)
READ_LINK = Query("refresh/read_link", Link)
