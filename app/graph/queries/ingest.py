"""Queries of the memory that versions: ``cypher/{ingest,recut,override,tombstone,clarify}``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters of a locked source; times in µs, -1 where there is none yet."""

    source_key: str
    tiles_seq: int
    last_tx: int
    last_recorded_at: int


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A stored statement without its text; times in µs."""

    source_key: str
    tx: int
    valid_from: int
    valid_to: int
    valid_from_rule: str
    text_sha256: str | None
    corrects_tx: int | None
    override_only: bool
    competes: bool
    observed_at: int
    observed_from: int
    removal: str | None


@dataclass(frozen=True, slots=True)
class Seq:
    """A raised counter."""

    seq: int


@dataclass(frozen=True, slots=True)
class Winner:
    """The version that wins; times in µs."""

    tx: int
    valid_from: int


@dataclass(frozen=True, slots=True)
class Start:
    """Where a window of a source starts, µs."""

    source_key: str
    valid_from: int


@dataclass(frozen=True, slots=True)
class CandidatesRow:
    """Versions of a source that compete: tx, valid_from, valid_to (µs) and blank of each."""

    source_key: str
    candidates: list[tuple[int, int, int, bool]]


@dataclass(frozen=True, slots=True)
class BindingRow:
    """An active override and the version it binds; times in µs."""

    source_key: str
    tx: int
    bound_tx: int
    valid_from: int
    valid_to: int


@dataclass(frozen=True, slots=True)
class TilesRow:
    """The stored tiles of a source: valid_from, valid_to (µs), winner and since of each."""

    source_key: str
    tiles: list[tuple[int, int, int, int]]


@dataclass(frozen=True, slots=True)
class OverrideRow:
    """An override at a tx; ``own_sha256`` where it brought its own text."""

    override_id: str
    tx: int
    bound_tx: int
    valid_from: int
    valid_to: int
    released_at: int | None
    own_sha256: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class FoundOverride:
    """An override found by its id."""

    source_id: str
    source_key: str
    tx: int
    bound_tx: int
    valid_from: int
    valid_to: int
    released_at: int | None


@dataclass(frozen=True, slots=True)
class Tombstoned:
    """How many versions were tombstoned."""

    tombstoned: int


@dataclass(frozen=True, slots=True)
class ClarificationRow:
    """A locked clarification as it stands."""

    source_id: str
    seq: int
    state: str | None
    last_recorded_at: int


@dataclass(frozen=True, slots=True)
class SourceId:
    """A source's id."""

    source_id: str


@dataclass(frozen=True, slots=True)
class Bindable:
    """A version as something to bind."""

    ends: bool
    removal: str | None
    valid_from: int
    valid_to: int


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """What a binding decided."""

    text: str | None
    bound_tx: int | None


LOCK_SOURCES = Query("ingest/lock_sources", Counters)
LOCK_KNOWN_SOURCE = Query("ingest/lock_known_source", Counters)
READ_NEIGHBOURS = Query("ingest/read_neighbours", VersionRow)
READ_FAMILY = Query("ingest/read_family", VersionRow)
CREATE_VERSIONS = Query("ingest/create_versions", Nothing)
BEGIN_CHAINS = Query("ingest/begin_chains", Nothing)
LINK_VERSIONS = Query("ingest/link_versions", Nothing)
LINK_CORRECTIONS = Query("ingest/link_corrections", Nothing)
UPDATE_VERSIONS = Query("ingest/update_versions", Nothing)
COUNT_CHANGES = Query("ingest/count_changes", Seq)
COUNT_OBSERVATIONS = Query("ingest/count_observations", Nothing)
READ_WINNER = Query("ingest/read_winner", Winner)
READ_WINNER_KNOWN_AT = Query("ingest/read_winner_known_at", Winner)
READ_NEXT_OPEN = Query("recut/read_next_open", Start)
READ_CANDIDATES = Query("recut/read_candidates", CandidatesRow)
READ_BINDINGS = Query("recut/read_bindings", BindingRow)
READ_TILES = Query("recut/read_tiles", TilesRow)
CUT_TILES = Query("recut/cut_tiles", Nothing)
READ_OVERRIDE = Query("override/read_override", OverrideRow)
FIND_OVERRIDE = Query("override/find_override", FoundOverride)
CREATE_OVERRIDE = Query("override/create_override", Nothing)
RELEASE_OVERRIDE = Query("override/release_override", Nothing)
READ_BINDINGS_OF = Query("override/read_bindings_of", BindingRow)
CASCADE_VERSIONS = Query("tombstone/cascade_versions", Tombstoned)
NOTE_REASON = Query("tombstone/note_reason", Nothing)
LOCK_CLARIFICATION = Query("clarify/lock_clarification", ClarificationRow)
CREATE_CLARIFICATION = Query("clarify/create_clarification", SourceId)
APPEND_STATE = Query("clarify/append_state", Seq)
READ_BINDABLE = Query("clarify/read_bindable", Bindable)
READ_OUTCOME = Query("clarify/read_outcome", OutcomeRow)
