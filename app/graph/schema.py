"""What the graph holds: labels, relationship types, properties and keys (DESIGN §3).

Declarations only: the migrations alone change a database, and nothing here opens a connection. A
test compares them with what the migrations made, both ways. neomodel knows keys of one property
(``unique_index``); those over several are in ``app.graph.keys``.
"""

import sys

from neomodel import (
    ArrayProperty,
    BooleanProperty,
    FloatProperty,
    IntegerProperty,
    RelationshipTo,
    StringProperty,
    StructuredNode,
)

from app.graph.bookkeeping import Clock, MigrationLock, Request, Spend, Tenant, Tenanted
from app.graph.relationships import AtClaim, Cites, Found, Holds, Numbered, Wins, Won

__all__ = ["Clock", "MigrationLock", "Request", "Spend", "Tenant", "node_classes"]


class Source(Tenanted):
    """A source: the counters that re-checks compare, and the node that writers lock."""

    source_key = StringProperty(unique_index=True)
    source_id = StringProperty(required=True)
    tiles_seq = IntegerProperty()
    last_tx = IntegerProperty()
    last_recorded_at = IntegerProperty()
    unindexed_since = IntegerProperty()
    locked_by = StringProperty()

    wins = RelationshipTo("SourceVersion", "WINS", model=Wins)
    won = RelationshipTo("SourceVersion", "WON", model=Won)


class SourceVersion(Tenanted):
    """A version, correction, end or an override's own text, in the chain of its source."""

    source_key = StringProperty(required=True)
    source_id = StringProperty(required=True)
    tx = IntegerProperty(required=True)
    valid_from = IntegerProperty(required=True)
    valid_to = IntegerProperty(required=True)
    valid_from_rule = StringProperty()
    text = StringProperty()
    text_sha256 = StringProperty()
    ends = BooleanProperty()
    corrects_tx = IntegerProperty()
    override_only = BooleanProperty()
    competes = BooleanProperty()
    observed_at = IntegerProperty()
    observed_from = IntegerProperty()
    recorded_at = IntegerProperty()
    removal = StringProperty()
    removal_reason = StringProperty()
    tombstoned_at = IntegerProperty()
    origin = StringProperty()
    chunked_by = StringProperty()

    version_of = RelationshipTo("Source", "VERSION_OF")
    holds = RelationshipTo("Chunk", "HOLDS", model=Holds)
    previous = RelationshipTo("SourceVersion", "PREVIOUS")
    corrects = RelationshipTo("SourceVersion", "CORRECTS")


class Chunk(Tenanted):
    """A text that versions of one source hold, as retrieval finds it."""

    source_key = StringProperty(required=True)
    text_sha256 = StringProperty(required=True)
    scope_key = StringProperty(required=True)
    text = StringProperty(required=True)
    embedding = ArrayProperty(FloatProperty())
    vector = ArrayProperty()  # the embedding again, as bytes, which numpy reads as they are
    embedded_by = StringProperty()


class ChunkIndex(StructuredNode):
    """How a tenant's chunks are made; the node that whoever makes them locks."""

    tenant = StringProperty(unique_index=True)
    made_by = StringProperty()
    failures = IntegerProperty()
    paused_until = IntegerProperty()
    lease_token = StringProperty()
    leased_until = IntegerProperty()
    locked_by = StringProperty()


class Override(Tenanted):
    """A steward's word that a version wins over a window of time."""

    override_id = StringProperty(required=True)
    source_key = StringProperty(required=True)
    tx = IntegerProperty(required=True)
    bound_tx = IntegerProperty(required=True)
    valid_from = IntegerProperty(required=True)
    valid_to = IntegerProperty(required=True)
    recorded_at = IntegerProperty()
    released_at = IntegerProperty()
    released_by = StringProperty()
    reason = StringProperty()
    created_by = StringProperty()

    binds = RelationshipTo("SourceVersion", "BINDS")
    overrides = RelationshipTo("Source", "OVERRIDES")


class Clarification(Tenanted):
    """A question about a source, as it stands now."""

    clarification_id = StringProperty(required=True)
    source_id = StringProperty()
    target_key = StringProperty()
    seq = IntegerProperty()
    state = StringProperty()
    bound_tx = IntegerProperty()
    question = StringProperty()
    last_recorded_at = IntegerProperty()
    locked_by = StringProperty()

    about = RelationshipTo("Source", "ABOUT")
    states = RelationshipTo("ClarificationState", "STATE")


class ClarificationState(Tenanted):
    """A state that a clarification once took; never changed."""

    clarification_id = StringProperty(required=True)
    seq = IntegerProperty(required=True)
    state = StringProperty()
    text = StringProperty()
    bound_tx = IntegerProperty()
    recorded_at = IntegerProperty()
    created_by = StringProperty()


class Trace(Tenanted):
    """A generation or query trace, made here or elsewhere; never changed."""

    trace_id = StringProperty(required=True)
    kind = StringProperty()
    question = StringProperty()
    draft = StringProperty()
    valid_time = IntegerProperty()
    tx_time = IntegerProperty()
    recorded_at = IntegerProperty()
    body_digest = StringProperty()
    source_ids = ArrayProperty(StringProperty())
    model = StringProperty()
    prompt_version = StringProperty()
    retriever_version = StringProperty()
    chunker_version = StringProperty()
    embedding_model = StringProperty()
    tokens_in = IntegerProperty()
    tokens_out = IntegerProperty()
    embeddings = IntegerProperty()
    cost_micros = IntegerProperty()

    makes = RelationshipTo("Claim", "MAKES")


class Claim(Tenanted):
    """A claim of a trace."""

    trace_id = StringProperty(required=True)
    idx = IntegerProperty(required=True)
    text = StringProperty()
    verdict = StringProperty()
    valid_time = IntegerProperty()
    pinned_at = IntegerProperty()

    cites = RelationshipTo("SourceVersion", "CITES", model=Cites)
    pending_on = RelationshipTo("Clarification", "PENDING_ON")


class Verification(Tenanted):
    """What rule 4 found of a claim, kept under the digest of all that it read; never changed."""

    digest = StringProperty(required=True)
    verdict = StringProperty()
    material = BooleanProperty()
    reasons = ArrayProperty(StringProperty())
    matcher_version = StringProperty()
    model = StringProperty()
    recorded_at = IntegerProperty()

    of = RelationshipTo("Claim", "OF")
    against = RelationshipTo("SourceVersion", "AGAINST", model=Found)


class SavedAnswer(Tenanted):
    """A saved answer as it stands now (seed §5)."""

    __label__ = "SAVED_ANSWER"

    answer_id = StringProperty(required=True)
    trace_id = StringProperty(required=True)
    live_trace = StringProperty()
    question = StringProperty()
    draft = StringProperty()
    title = StringProperty()
    created_by_person = StringProperty()
    created_by_key = StringProperty()
    time_basis_json = StringProperty()
    status = StringProperty()
    severity = StringProperty()
    claims_json = StringProperty()
    claim_states = ArrayProperty(StringProperty())
    caveats = ArrayProperty(StringProperty())
    seq = IntegerProperty()
    changed_at = IntegerProperty()
    checked_at = IntegerProperty()
    recheck_due_at = IntegerProperty()
    expires_at = IntegerProperty()
    checked_through = IntegerProperty()
    checked_seqs = ArrayProperty(IntegerProperty())
    failures = IntegerProperty()
    saved_at = IntegerProperty()
    deleted_at = IntegerProperty()
    emit_number = IntegerProperty()
    emitted_seq = IntegerProperty()
    suppressed_run = IntegerProperty()
    locked_by = StringProperty()

    pins = RelationshipTo("Trace", "PINS")
    supersedes = RelationshipTo("SavedAnswer", "SUPERSEDES")
    head = RelationshipTo("AnswerVersion", "HEAD")


class AnswerVersion(Tenanted):
    """A state that an answer once had; never changed, and no text of people."""

    answer_id = StringProperty(required=True)
    seq = IntegerProperty(required=True)
    status = StringProperty()
    severity = StringProperty()
    claims_json = StringProperty()
    claim_states = ArrayProperty(StringProperty())
    caveats = ArrayProperty(StringProperty())
    recorded_at = IntegerProperty()
    why = StringProperty()
    emit_id = StringProperty()
    deleted_at = IntegerProperty()

    previous = RelationshipTo("AnswerVersion", "PREVIOUS")
    affected_by = RelationshipTo("SourceVersion", "AFFECTED_BY", model=AtClaim)


class Watch(Tenanted):
    """What an answer rests on: its sources and clarifications, numbered."""

    watch_id = StringProperty(required=True)
    job_kind = StringProperty()
    answer_id = StringProperty()
    detached_at = IntegerProperty()

    watched_for = RelationshipTo("SavedAnswer", "FOR")
    watches_source = RelationshipTo("Source", "WATCHES", model=Numbered)
    watches_clarification = RelationshipTo("Clarification", "WATCHES", model=Numbered)


class Change(Tenanted):
    """The outbox: something moved, under the seq that it raised."""

    change_id = StringProperty(required=True)
    state = StringProperty()
    target_key = StringProperty()
    seq = IntegerProperty()
    what = StringProperty()
    tx = IntegerProperty()
    recorded_at = IntegerProperty()
    locked_by = StringProperty()

    changed_source = RelationshipTo("Source", "CHANGED")
    changed_clarification = RelationshipTo("Clarification", "CHANGED")


class Job(Tenanted):
    """Work to do: answers to check, or a task put aside."""

    job_id = StringProperty(required=True)
    kind = StringProperty()
    audience = StringProperty()
    state = StringProperty()
    why = StringProperty()
    ids = ArrayProperty(StringProperty())
    run_at = IntegerProperty()
    lease_token = StringProperty()
    attempts = IntegerProperty()
    reason = StringProperty()
    payload_json = StringProperty()
    due_until = IntegerProperty()
    created_at = IntegerProperty()
    finished_at = IntegerProperty()
    locked_by = StringProperty()

    because = RelationshipTo("Change", "BECAUSE")


class WatchFire(Tenanted):
    """A check covered a change, for one answer."""

    fire_id = StringProperty(required=True)
    recorded_at = IntegerProperty()
    change_state = StringProperty()

    fire_of = RelationshipTo("Watch", "OF")
    because = RelationshipTo("Change", "BECAUSE")


class Emit(Tenanted):
    """A window over an answer's transitions, and the event in which it ended."""

    emit_id = StringProperty(required=True)
    answer_id = StringProperty()
    open_for = StringProperty()
    state = StringProperty()
    opened_seq = IntegerProperty()
    opened_at = IntegerProperty()
    due_at = IntegerProperty()
    closed_at = IntegerProperty()
    number = IntegerProperty()
    from_status = StringProperty()
    to_status = StringProperty()
    changed_claims = ArrayProperty(IntegerProperty())
    severity = StringProperty()
    direction = StringProperty()
    flapping = BooleanProperty()
    first_check = BooleanProperty()

    about = RelationshipTo("SavedAnswer", "ABOUT")


class Refresh(Tenanted):
    """An answer that is being made to supersede another; ``open_for`` names that while it is."""

    new_answer_id = StringProperty(required=True)
    open_for = StringProperty()
    state = StringProperty()
    reason = StringProperty()
    requested_by = StringProperty()
    recorded_at = IntegerProperty()
    finished_at = IntegerProperty()

    refresh_of = RelationshipTo("SavedAnswer", "OF")


class AuditEvent(Tenanted):
    """What was done, by whom and with what outcome; never changed."""

    event_id = StringProperty(required=True)
    kind = StringProperty()
    at = IntegerProperty()
    actor = StringProperty()
    why = StringProperty()
    answers = ArrayProperty(StringProperty())
    outcomes = ArrayProperty(StringProperty())

    on_answer = RelationshipTo("SavedAnswer", "ON")
    on_source = RelationshipTo("Source", "ON")
    on_clarification = RelationshipTo("Clarification", "ON")


def node_classes() -> tuple[type[StructuredNode], ...]:
    """Return every class that stands for a label, those that stand alone among them."""
    return tuple(
        found
        for found in vars(sys.modules[__name__]).values()
        if isinstance(found, type)
        and issubclass(found, StructuredNode)
        and "__label__" in vars(found)
    )
