"""Queries of the ledger: ``cypher/ledger``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class Reserved:
    """What a tenant's day holds after a reservation."""

    tokens: int
    embeddings: int


@dataclass(frozen=True, slots=True)
class SpendRow:
    """What a tenant used in a day, its number YYYYMMDD."""

    day: int
    tokens: int
    embeddings: int
    cost_micros: int


RESERVE_SPEND = Query("ledger/reserve_spend", Reserved)
SETTLE_SPEND = Query("ledger/settle_spend", Nothing)
READ_SPEND = Query("ledger/read_spend", SpendRow)
