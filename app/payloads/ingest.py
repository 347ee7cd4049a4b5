"""Payloads of the memory that versions: statements, overrides, tombstones, clarifications."""

from typing import Self

from pydantic import model_validator

from app.core.chain import Outcome
from app.core.rules import ClarificationPhase
from app.core.statements import Removal
from app.payloads.base import Instant, Key, Name, Payload, Tenant, Text


class SourceRequest(Payload):
    """What every write to a source names; ``request_id`` makes a repeat the first result again."""

    tenant: Tenant
    source_id: Key
    request_id: Key | None = None


class VersionIn(SourceRequest):
    """A version of a source; with ``corrects`` a correction of the version at that tx."""

    text: Text
    tx: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    source_ts: Instant | None = None
    corrects: Instant | None = None
    origin: Name | None = None


class EndIn(SourceRequest):
    """The source says nothing any more from ``valid_from`` on: a file deleted at its source."""

    tx: Instant | None = None
    valid_from: Instant | None = None
    source_ts: Instant | None = None


class WithdrawIn(SourceRequest):
    """Tombstone the one version at ``tx``; the next candidate wins."""

    tx: Instant
    reason: Name | None = None
    actor: Name | None = None


class CascadeIn(SourceRequest):
    """Tombstone all versions of the source for good."""

    reason: Name | None = None
    actor: Name | None = None


class OverrideIn(SourceRequest):
    """A steward's decision: the version at ``bind``, or ``text`` of its own, wins a window."""

    bind: Instant | None = None
    text: Text | None = None
    tx: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    reason: Name | None = None
    actor: Name | None = None

    @model_validator(mode="after")
    def _one_of(self) -> Self:
        if (self.bind is None) == (self.text is None):
            raise ValueError("state either 'bind' or 'text'")
        return self


class ReleaseIn(Payload):
    """End an override; what wins without it wins again."""

    tenant: Tenant
    override_id: Key
    actor: Name | None = None
    request_id: Key | None = None


class ClarifyIn(Payload):
    """Move a clarification to ``state``; the first ``open`` names its source and its question.

    A binding states its outcome: ``text``, and where it chooses one the version at ``bind``.
    """

    tenant: Tenant
    clarification_id: Key
    state: ClarificationPhase
    source_id: Key | None = None
    question: Text | None = None
    text: Text | None = None
    bind: Instant | None = None
    actor: Name | None = None
    request_id: Key | None = None

    @model_validator(mode="after")
    def _outcome(self) -> Self:
        bound = self.state is ClarificationPhase.BOUND
        if bound and self.text is None:
            raise ValueError("a binding states its outcome in 'text'")
        if not bound and (self.text is not None or self.bind is not None):
            raise ValueError("'text' and 'bind' belong to the state 'bound' alone")
        return self


class Ingested(Payload):
    """What became of a statement: whether it wins at this moment and, if not, why not."""

    source_id: str
    tx: int
    valid_from: int
    valid_to: int | None
    outcome: Outcome
    removal: Removal | None
    wins_now: bool
    why_not: str | None
    winning_tx: int | None
    note: str | None = None


class Removed(Payload):
    """How many versions a withdrawal or a cascade tombstoned (0: they already were)."""

    source_id: str
    tombstoned: int


class Overridden(Payload):
    """An override as it stands, and whether this call changed anything."""

    override_id: str
    source_id: str
    tx: int
    bound_tx: int
    valid_from: int
    valid_to: int | None
    released: bool
    changed: bool


class Clarified(Payload):
    """A clarification as it stands, and whether this call changed anything."""

    clarification_id: str
    source_id: str
    state: ClarificationPhase
    seq: int
    changed: bool
