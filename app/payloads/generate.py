"""Asking, and what comes back: an answer with its evidence, what it cost, how far the index was."""

from typing import Annotated

from pydantic import Field, StrictBool

from app.core.generation import Judgement
from app.payloads.base import Instant, Key, Name, Payload, Tenant

Sources = Annotated[tuple[Key, ...], Field(max_length=1_000)]


class AskIn(Payload):
    """A question to answer from what wins at ``valid_time`` (µs), now where it is not stated."""

    tenant: Tenant
    question: Name
    valid_time: Instant | None = None
    source_ids: Sources = ()
    request_id: Key | None = None


class AnswerTaskIn(AskIn):
    """A question to answer as a task; ``save`` saves the answer at once."""

    save: StrictBool = False
    title: Name | None = None
    created_by_person: Name | None = None


class CitedView(Payload):
    """An evidence coordinate with its words."""

    source_id: str
    source_version_tx: int
    start: int
    end: int
    quote: str


class AnswerClaim(Payload):
    """A claim of an answer; ``refused`` says which evidence it named and did not have."""

    idx: int
    text: str
    verdict: Judgement
    evidence: tuple[CitedView, ...]
    refused: tuple[str, ...] = ()
    pending_clarifications: tuple[str, ...] = ()


class Lag(Payload):
    """How far the index is behind: sources that wait, the age of the oldest in µs.

    ``versions`` is counted only where somebody asks for it; ``stale`` says that the tenant's chunks
    were made by other rules or another model than those configured, and wait to be made anew.
    """

    sources: int
    oldest: int | None
    stale: bool
    versions: int | None = None


class Cost(Payload):
    """What a call used; ``cost_micros`` in millionths of the currency of the prices."""

    tokens_in: int = 0
    tokens_out: int = 0
    embeddings: int = 0
    cost_micros: int = 0


class Generated(Payload):
    """An answer, stored as a trace of a generation; ``created`` is false for a repeat.

    ``source_ids`` are those that the question named, none for all.
    """

    trace_id: str
    question: str
    draft: str
    valid_time: int | None
    tx_time: int
    source_ids: tuple[str, ...]
    claims: tuple[AnswerClaim, ...]
    model: str
    prompt_version: str
    retriever_version: str
    chunker_version: str
    embedding_model: str | None
    cost: Cost
    lag: Lag
    warnings: tuple[str, ...] = ()
    created: bool = True


class Retrieved(Payload):
    """What was found for a question, stored as a trace of a query; the best comes first."""

    trace_id: str
    question: str
    valid_time: int | None
    tx_time: int
    source_ids: tuple[str, ...]
    passages: tuple[CitedView, ...]
    retriever_version: str
    chunker_version: str
    embedding_model: str | None
    cost: Cost
    lag: Lag
    warnings: tuple[str, ...] = ()
    created: bool = True


class Indexed(Payload):
    """What one run did: versions cut, texts embedded, versions dropped; what still waits.

    ``busy``: another run is at it, and this one did nothing.
    """

    versions: int
    embedded: int
    dropped: int
    waiting: int
    failed: str | None = None
    busy: bool = False


class IndexStatus(Payload):
    """How a tenant's index stands."""

    made_by: str | None
    configured: str
    lag: Lag
    chunks: int
    failures: int
    paused_until: int | None
