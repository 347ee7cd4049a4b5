"""A trace made elsewhere: question, answer, and the evidence behind each claim (seed §3.2).

`JSON Schema <docs/schemas/trace.json>`_ is generated from ``TraceIn``.
"""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from app.core.values import MAX_TEXT_BYTES
from app.payloads.base import Instant, Key, Payload, Tenant, Text

Index = Annotated[StrictInt, Field(ge=0, le=100_000)]
Offset = Annotated[StrictInt, Field(ge=0, le=MAX_TEXT_BYTES)]


class EvidenceIn(Payload):
    """An evidence coordinate: a half-open span of Unicode code points in a version's stored text.

    ``quote``, where given, must be the text at that span, compared after NFKC with each run of
    white space as one blank.
    """

    source_id: Key
    source_version_tx: Instant
    start: Offset
    end: Offset
    quote: Text | None = None


class ClaimIn(Payload):
    """One claim of the draft. ``valid_time`` (µs) pins the instant at which it is judged."""

    idx: Index
    text: Text
    verdict: Literal["supported", "partial", "unsupported", "unverified"] = "unverified"
    valid_time: Instant | None = None
    evidence: tuple[EvidenceIn, ...] = ()
    pending_clarifications: tuple[Key, ...] = ()


class TimeBasis(Payload):
    """The coordinates at which the generation planned; ``valid_time == tx_time`` means now."""

    valid_time: Instant | None = None
    tx_time: Instant


class TraceIn(Payload):
    """A trace: of a generation, or of a mere retrieval (``query``), which cannot be saved."""

    tenant: Tenant
    trace_id: Key | None = None
    kind: Literal["generation", "query"] = "generation"
    question: Text
    draft: Text = ""
    time_basis: TimeBasis
    claims: tuple[ClaimIn, ...] = ()
    request_id: Key | None = None


class TraceAdded(Payload):
    """A stored trace; ``warnings`` say what its maker may not have meant."""

    trace_id: str
    kind: str
    claims: int
    created: bool
    warnings: tuple[str, ...] = ()
