"""Queries around the migrations: ``cypher/migrate``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class IndexName:
    """An index by its name."""

    name: str


PREPARE_LOCK = Query("migrate/prepare_lock", Nothing)
TAKE_LOCK = Query("migrate/take_lock", Nothing)
READ_OFFLINE = Query("migrate/read_offline", IndexName)
AWAIT_INDEX = Query("migrate/await_index", Nothing)
