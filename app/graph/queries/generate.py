"""Queries of the step ``generate``: ``cypher/generate``."""

from dataclasses import dataclass
from typing import Any

from app.graph.catalog import Query
from app.graph.queries.trace import ClarificationSource
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class MadeTrace:
    """A trace with how it was made; each claim has idx, text, verdict, evidence, pending."""

    question: str
    draft: str
    valid_time: int | None
    tx_time: int
    source_ids: list[str]
    model: str | None
    prompt_version: str | None
    retriever_version: str | None
    chunker_version: str | None
    embedding_model: str | None
    tokens_in: int | None
    tokens_out: int | None
    embeddings: int | None
    cost_micros: int | None
    claims: list[dict[str, Any]]


READ_OPEN_CLARIFICATIONS = Query("generate/read_open", ClarificationSource)
NOTE_MADE = Query("generate/note_made", Nothing)
READ_TRACE = Query("generate/read_trace", MadeTrace)
