"""The composition root: settings, store, clocks, models and wake-ups put together once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from neo4j import Driver
from pydantic import SecretStr

from app.config import Settings
from app.core.errors import Invalid, Unavailable
from app.core.generation import Judge, Judgement
from app.core.rules import Verdict, Verification
from app.core.states import ClaimCheck
from app.core.verification import supports
from app.flow.clock import RealClock, SettableClock
from app.flow.making import Maker
from app.flow.recheck import Rechecker
from app.flow.refresh import Refresher
from app.flow.verify import Matcher
from app.graph.audits import Neo4jAudits
from app.graph.errors import STORE_BROKEN
from app.graph.loader import load
from app.graph.migrate import migrate, pending
from app.graph.store import Neo4jStore, open_driver
from app.local.home import default_home
from app.local.report import Quiet, Report
from app.local.service import SERVERS, Endpoints
from app.local.stack import restart, running, up
from app.local.state import Memory
from app.models import choose
from app.models.none import NoEmbedder
from app.ports import Audits, Clock, Embedder, Store, Verified, Verifier, Wake
from app.worker.send import CeleryWake


class NoVerifier:
    """Rule 4 without a model: every affected claim stays affected, with the caveat that says so."""

    configured = False

    def verify(self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]) -> Verified:
        """Return ``UNAVAILABLE`` for every claim."""
        del tenant
        return Verified(
            {
                (answer_id, check.idx): Verification(Verdict.UNAVAILABLE)
                for answer_id, checks in affected.items()
                for check in checks
            }
        )


def judged(claim: str, quotes: Sequence[str]) -> Judgement:
    """Say by the matcher's rules whether quotes support a claim that is not one of them."""
    return Judgement(supports(claim, quotes).value)


@dataclass(frozen=True, slots=True)
class Stack:
    """All that a surface or a worker needs. ``clock`` may be settable, ``real`` never is."""

    settings: Settings
    store: Store
    audits: Audits
    clock: Clock
    real: Clock
    verifier: Verifier
    wake: Wake
    embedder: Embedder = field(default_factory=NoEmbedder)
    judge: Judge = judged

    def maker(self) -> Maker:
        """Return what answers questions: the one thing that has a generator."""
        models = self.settings.models
        return Maker(
            store=self.store,
            clock=self.clock,
            real=self.real,
            embedder=self.embedder,
            generator=choose.generator(models, self.embedder),
            judge=self.judge,
            models=models,
        )

    @property
    def generates(self) -> bool:
        """Whether there is a generator to ask."""
        return self.settings.models.generator != "none"

    def refresher(self) -> Refresher:
        """Return what makes the answers that refreshes asked for."""
        return Refresher(self.store, self.clock, self.settings.answers, self.maker())

    def rechecker(self) -> Rechecker:
        """Return what re-checks answers; it has no generator to call."""
        return Rechecker(
            self.store, self.clock, self.verifier, self.settings.answers, self.settings.watch
        )


@contextmanager
def open_stack(
    settings: Settings | None = None, *, report: Report | None = None
) -> Iterator[Stack]:
    """Open a stack on the configured servers, and close its driver afterwards.

    ``NEO4J_URI`` if set, else a running ``telha local`` stack, else one that this starts. Raises
    ``Invalid`` ``NOT_MIGRATED`` where the database lacks a migration of this code.
    """
    resolved = resolve(settings or Settings(), report=report)
    driver = _driver(resolved)
    try:
        if waiting := pending(driver):
            raise Invalid(
                "NOT_MIGRATED",
                f"the database lacks {len(waiting)} of this release's migrations",
                hint="Run `telha migrate`.",
            )
        store = Neo4jStore(driver, load())
        real = RealClock()
        clock = SettableClock(store, real) if resolved.settable_clock else real
        embedder = choose.embedder(resolved.models)
        yield Stack(
            settings=resolved,
            store=store,
            audits=Neo4jAudits(driver),
            clock=clock,
            real=real,
            verifier=_verifier(resolved, store, clock, embedder),
            wake=CeleryWake(resolved),
            embedder=embedder,
        )
    finally:
        driver.close()


def migrate_database(settings: Settings | None = None) -> list[str]:
    """Bring the configured database to this code's schema; return the migrations applied."""
    driver = _driver(resolve(settings or Settings()))
    try:
        return migrate(driver)
    finally:
        driver.close()


def start_local(
    home: Path | None = None,
    *,
    memory: Memory | None = None,
    neo4j_version: str | None = None,
    report: Report | None = None,
    workers: bool = True,
) -> Endpoints:
    """Start the embedded servers, migrate the database, then start worker and beat.

    A Neo4j that runs but writes no more is started again.
    """
    place = home or default_home()
    quiet = report or Quiet()
    endpoints = up(
        place, services=SERVERS, memory=memory, neo4j_version=neo4j_version, report=quiet
    )
    try:
        migrate_database(on_local(Settings(), endpoints))
    except Unavailable as refused:
        if refused.code != STORE_BROKEN:
            raise
        quiet.say("Neo4j writes no more, as after a full disk; starting it again")
        endpoints = restart(place, "neo4j", report=quiet)
        migrate_database(on_local(Settings(), endpoints))
    return up(place, report=quiet) if workers else endpoints


def resolve(settings: Settings, *, report: Report | None = None) -> Settings:
    """Return settings that name their servers, from a local stack where none are configured."""
    if settings.neo4j_uri is not None:
        return settings
    home = settings.home or default_home()
    return on_local(settings, running(home) or start_local(home, report=report))


def on_local(settings: Settings, endpoints: Endpoints) -> Settings:
    """Return settings for an embedded stack: its servers, a settable clock, answers switched on.

    The local model embeds, unless the settings say which does.
    """
    answers, models = settings.answers, settings.models
    if "enabled" not in answers.model_fields_set:
        answers = answers.model_copy(update={"enabled": True})
    if "embedding" not in models.model_fields_set:
        models = models.model_copy(update={"embedding": "local"})
    return settings.model_copy(
        update={
            "neo4j_uri": endpoints.neo4j_uri,
            "neo4j_user": endpoints.neo4j_user,
            "neo4j_password": SecretStr(endpoints.neo4j_password),
            "broker_url": SecretStr(endpoints.broker_url),
            "settable_clock": True,
            "answers": answers,
            "models": models,
        }
    )


def _verifier(settings: Settings, store: Store, clock: Clock, embedder: Embedder) -> Verifier:
    """Return rule 4: without a model it is unavailable, unless the rules may judge alone."""
    if not (embedder.configured or settings.answers.verify_by_rules_alone):
        return NoVerifier()
    return Matcher(
        store,
        clock,
        embedder if embedder.configured else None,
        settings.models,
        choose.veto(settings.models),
    )


def _driver(settings: Settings) -> Driver:
    return open_driver(
        settings.neo4j_uri or "", settings.neo4j_user, settings.neo4j_password.get_secret_value()
    )
