"""Small builders: one `World` is one tenant with a clock of its own, so tests run in parallel."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.config import AnswersSettings, ModelsSettings, WatchSettings
from app.core.errors import Conflict, Invalid, InvalidInput, NotFound, TelhaError
from app.core.generation import Judge, unjudged
from app.core.instants import FOREVER, SECOND
from app.core.states import ClaimState, Status
from app.core.tiles import Tile
from app.flow import (
    answers,
    change,
    clarify,
    emit,
    generate,
    import_jsonl,
    ingest,
    jobs,
    override,
    recheck,
    retrieve,
    tombstone,
    trace,
    watch,
)
from app.flow import save as saving
from app.flow.index import Indexer
from app.flow.jobs import Audience, Lease
from app.flow.making import Maker
from app.flow.recheck import Rechecker
from app.graph.queries.ingest import READ_TILES
from app.models.extractive import ExtractiveGenerator
from app.models.none import NoEmbedder
from app.payloads.answers import (
    AnswerPage,
    AnswerRef,
    AnswerView,
    Checked,
    Deleted,
    ListIn,
    Saved,
    SaveIn,
)
from app.payloads.base import parse
from app.payloads.generate import AskIn, Generated, Indexed, Retrieved
from app.payloads.imports import Imported
from app.payloads.ingest import (
    CascadeIn,
    Clarified,
    ClarifyIn,
    EndIn,
    Ingested,
    Overridden,
    OverrideIn,
    ReleaseIn,
    Removed,
    VersionIn,
    WithdrawIn,
)
from app.payloads.jobs import Event, Relayed
from app.payloads.trace import TraceAdded, TraceIn
from app.ports import Embedder, Generator, Store, Verifier
from app.wiring import NoVerifier

NOON = 1_772_366_400_000_000
"""2026-03-01T12:00:00Z in µs: where the clock of every world starts."""

CAP = "The cap is €2m. It holds for a year."
SKY = "The sky is blue."


@dataclass
class SetClock:
    """A clock that stands until a test moves it."""

    at: int = NOON

    def now(self) -> int:
        return self.at

    def advance(self, seconds: float) -> int:
        self.at += int(seconds * SECOND)
        return self.at


@dataclass(frozen=True)
class Cite:
    """Evidence by a quote: the first place of ``quote`` in the version's text."""

    source_id: str
    tx: int
    quote: str


@dataclass(frozen=True)
class Said:
    """A claim of a draft."""

    text: str
    cites: Sequence[Cite] = ()
    valid_time: int | None = None
    pending: Sequence[str] = ()
    verdict: str = "supported"


def new_tenant() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"


@dataclass
class World:
    """One tenant of a store, and every step of the flow with defaults."""

    store: Store
    tenant: str = field(default_factory=new_tenant)
    clock: SetClock = field(default_factory=SetClock)
    real: SetClock = field(default_factory=SetClock)
    answers: AnswersSettings = field(default_factory=lambda: AnswersSettings(enabled=True))
    watch: WatchSettings = field(default_factory=WatchSettings)
    verifier: Verifier = field(default_factory=NoVerifier)
    models: ModelsSettings = field(default_factory=ModelsSettings)
    embedder: Embedder = field(default_factory=NoEmbedder)
    generator: Generator = field(default_factory=lambda: ExtractiveGenerator(NoEmbedder()))
    judge: Judge = unjudged
    texts: dict[tuple[str, int], str] = field(default_factory=dict)

    def on(self, store: Store) -> "World":
        """The same tenant, clock and texts over another store."""
        return replace(self, store=store)

    # Memory that versions

    def version(self, source_id: str = "cap", text: str = CAP, **stated: Any) -> Ingested:
        body = {"tenant": self.tenant, "sourceId": source_id, "text": text, **stated}
        told = ingest.ingest_version(self.store, self.clock, parse(VersionIn, body))
        self.texts.setdefault((source_id, told.tx), text)
        return told

    def end(self, source_id: str = "cap", **stated: Any) -> Ingested:
        body = {"tenant": self.tenant, "sourceId": source_id, **stated}
        return ingest.ingest_end(self.store, self.clock, parse(EndIn, body))

    def withdraw(self, source_id: str, tx: int, **stated: Any) -> Removed:
        body = {"tenant": self.tenant, "sourceId": source_id, "tx": tx, **stated}
        return tombstone.withdraw_version(self.store, self.clock, parse(WithdrawIn, body))

    def cascade(self, source_id: str, **stated: Any) -> Removed:
        body = {"tenant": self.tenant, "sourceId": source_id, **stated}
        return tombstone.cascade_source(self.store, self.clock, parse(CascadeIn, body))

    def override(self, source_id: str = "cap", **stated: Any) -> Overridden:
        body = {"tenant": self.tenant, "sourceId": source_id, **stated}
        made = override.set_override(self.store, self.clock, parse(OverrideIn, body))
        if "text" in stated:
            self.texts[source_id, made.tx] = stated["text"]
        return made

    def release(self, override_id: str, **stated: Any) -> Overridden:
        body = {"tenant": self.tenant, "overrideId": override_id, **stated}
        return override.release_override(self.store, self.clock, parse(ReleaseIn, body))

    def clarify(self, state: str, clarification_id: str = "q1", **stated: Any) -> Clarified:
        body = {"tenant": self.tenant, "clarificationId": clarification_id, "state": state}
        return clarify.clarify(self.store, self.clock, parse(ClarifyIn, body | stated))

    def ask(self, source_id: str = "cap", clarification_id: str = "q1") -> Clarified:
        """Open a clarification about a source."""
        return self.clarify("open", clarification_id, sourceId=source_id, question="Which?")

    def imported(self, path: Path, **kwargs: Any) -> Imported:
        return import_jsonl.import_jsonl(self.store, self.clock, self.tenant, path, **kwargs)

    # Questions

    def maker(self) -> Maker:
        return Maker(
            self.store,
            self.clock,
            self.real,
            self.embedder,
            self.generator,
            self.judge,
            self.models,
        )

    def indexer(self) -> Indexer:
        return self.maker().indexer(self.tenant)

    def index(self, **stated: Any) -> Indexed:
        """Index all that waits."""
        return self.indexer().run(**stated)

    def asked(self, question: str = "What is the cap?", **stated: Any) -> Generated:
        body = {"tenant": self.tenant, "question": question, **stated}
        return generate.generate(self.maker(), parse(AskIn, body))

    def found(self, question: str = "What is the cap?", **stated: Any) -> Retrieved:
        body = {"tenant": self.tenant, "question": question, **stated}
        return retrieve.retrieve(self.maker(), parse(AskIn, body))

    # Traces and answers

    def trace_body(self, said: Sequence[Said], **stated: Any) -> dict[str, Any]:
        return {
            "tenant": self.tenant,
            "question": "What is the cap?",
            "draft": " ".join(each.text for each in said),
            "timeBasis": {"txTime": self.clock.now()},
            "claims": [self._claim(idx, each) for idx, each in enumerate(said)],
        } | stated

    def add(self, body: dict[str, Any]) -> TraceAdded:
        return trace.add_trace(self.store, self.clock, parse(TraceIn, body))

    def trace(self, *said: Said, **stated: Any) -> TraceAdded:
        return self.add(self.trace_body(said, **stated))

    def save(self, trace_id: str, **stated: Any) -> Saved:
        body = {"tenant": self.tenant, "traceId": trace_id, **stated}
        parsed = parse(SaveIn, body)
        return saving.save_answer(self.store, self.clock, parsed, settings=self.answers)

    def saved(self, *said: Said, **stated: Any) -> str:
        """Save an answer with these claims; return its id. Its first check waits."""
        return self.save(self.trace(*said, **stated).trace_id).answer_id

    def answer(self, *said: Said, **stated: Any) -> str:
        """Save an answer, check it, and let everything settle; return its id."""
        answer_id = self.saved(*said, **stated)
        self.run_jobs()
        self.settle()
        return answer_id

    def two_claims(self, **stated: Any) -> "TwoClaims":
        """Two sources, a version each, and an answer that rests on both, checked."""
        cap, sky = self.version("cap", CAP).tx, self.version("sky", SKY).tx
        answer_id = self.answer(
            Said("The cap is €2m.", [Cite("cap", cap, "€2m")]),
            Said("The sky is blue.", [Cite("sky", sky, "blue")]),
            **stated,
        )
        return TwoClaims(answer_id, cap, sky)

    def delete(self, answer_id: str, **stated: Any) -> Deleted:
        body = {"tenant": self.tenant, "answerId": answer_id, **stated}
        return saving.delete_answer(self.store, self.clock, parse(AnswerRef, body))

    def show(self, answer_id: str, **stated: Any) -> AnswerView:
        return answers.show_answer(self.store, self.tenant, answer_id, **stated)

    def listed(self, **stated: Any) -> AnswerPage:
        return answers.list_answers(self.store, parse(ListIn, {"tenant": self.tenant, **stated}))

    def status(self, answer_id: str) -> Status:
        return self.show(answer_id).status

    def states(self, answer_id: str) -> list[ClaimState]:
        return [claim.state for claim in self.show(answer_id).claims]

    def _claim(self, idx: int, said: Said) -> dict[str, Any]:
        evidence = []
        for cite in said.cites:
            start = self.texts[cite.source_id, cite.tx].index(cite.quote)
            evidence.append(
                {
                    "sourceId": cite.source_id,
                    "sourceVersionTx": cite.tx,
                    "start": start,
                    "end": start + len(cite.quote),
                    "quote": cite.quote,
                }
            )
        return {
            "idx": idx,
            "text": said.text,
            "verdict": said.verdict,
            "validTime": said.valid_time,
            "evidence": evidence,
            "pendingClarifications": list(said.pending),
        }

    # From change to owner

    def rechecker(self) -> Rechecker:
        return Rechecker(self.store, self.clock, self.verifier, self.answers, self.watch)

    def check(self, *answer_ids: str) -> list[Checked]:
        return self.rechecker().check(self.tenant, answer_ids)

    def dispatch(self) -> Relayed:
        return change.dispatch_changes(self.store, self.clock, self.tenant, settings=self.answers)

    def lease(self, *, seconds: float = 60, audience: Audience = Audience.INTERNAL) -> Lease | None:
        now = self.real.now()
        until = now + int(seconds * SECOND)
        return jobs.lease_job(self.store, self.tenant, audience=audience, now=now, until=until)

    def leased(self, *, seconds: float = 60) -> Lease:
        """Lease the job that must be waiting."""
        lease = self.lease(seconds=seconds)
        assert lease is not None
        return lease

    def run_jobs(self) -> list[Checked]:
        """Run jobs until none is waiting."""
        done: list[Checked] = []
        while lease := self.lease():
            done += recheck.run_job(self.rechecker(), lease)
        return done

    def settle(self) -> list[Checked]:
        """Dispatch and run jobs until nothing is left to do; windows stay open."""
        done: list[Checked] = []
        while True:
            relayed = self.dispatch()
            ran = self.run_jobs()
            done += ran
            if not (relayed.changes or ran):
                return done

    def due(self) -> Relayed:
        return watch.check_due(self.store, self.clock, self.tenant, settings=self.answers)

    def close_windows(self, *, after: float = 61) -> Relayed:
        """Let the open windows come due, and close them."""
        self.clock.advance(after)
        return emit.close_emit_windows(self.store, self.clock, self.tenant)

    def events(self, answer_id: str | None = None) -> Sequence[Event]:
        return emit.list_events(self.store, self.tenant, answer_id=answer_id)


@dataclass(frozen=True)
class TwoClaims:
    """An answer with a claim on ``cap`` and one on ``sky``, and the txs that it cites."""

    answer_id: str
    cap: int
    sky: int


def refused(call: Callable[[], object]) -> TelhaError:
    """Return the refusal that ``call`` must end in."""
    try:
        call()
    except (Invalid, InvalidInput, NotFound, Conflict, TelhaError) as refusal:
        return refusal
    raise AssertionError("nothing was refused")


def stored_tiles(store: Store, source_key: str) -> list[Tile]:
    """Return all tiles of a source, left to right."""
    whole = {"source_key": source_key, "lo": 0, "hi": FOREVER}
    rows = store.read(READ_TILES, spans=[whole])
    return [Tile(*each) for row in rows for each in row.tiles]
