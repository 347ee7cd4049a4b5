"""Where the measuring happens: an embedded stack of its own, a store, and tenants to write to."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from neo4j import Driver

from app.config import AnswersSettings, Settings, WatchSettings
from app.core.errors import Invalid
from app.core.instants import HOUR
from app.flow import change, ingest, jobs, recheck, save, trace
from app.flow.clock import RealClock
from app.flow.recheck import Rechecker
from app.graph.store import Neo4jStore, open_driver
from app.local import stack as local
from app.local.service import Endpoints
from app.local.state import Memory
from app.payloads.answers import SaveIn
from app.payloads.base import parse
from app.payloads.ingest import Ingested, VersionIn
from app.payloads.trace import TraceIn
from app.ports import Verifier
from app.wiring import NoVerifier, start_local
from benchmarks.corpus import Size

HOME: Final = Path(__file__).parent.parent / ".telha-bench"
_BUILT: Final = HOME / "built"
MEMORY: Final = Memory("3g", "3g", "2g")
_CLAIM: Final = "The limit is 0."  # what every later version denies, so that each check appends one


@dataclass
class StandingClock:
    """A clock that moves by a microsecond whenever it is read."""

    at: int

    def now(self) -> int:
        """Return the next instant, µs."""
        self.at += 1
        return self.at


@dataclass(frozen=True)
class Stage:
    """A server, and what the flow needs to run on it."""

    driver: Driver
    store: Neo4jStore
    clock: StandingClock
    size: Size
    endpoints: Endpoints
    settings: Settings

    def tenant(self, name: str) -> str:
        """Return a tenant that nobody used."""
        return f"{name}-{uuid.uuid4().hex[:10]}"

    def version(self, tenant: str, source_id: str, text: str, **stated: object) -> Ingested:
        """Store a version as anybody would."""
        body = {"tenant": tenant, "sourceId": source_id, "text": text, **stated}
        return ingest.ingest_version(self.store, self.clock, parse(VersionIn, body))

    def answer(
        self, tenant: str, cites: dict[str, int], claims: int = 1, quote: str = "The"
    ) -> str:
        """Save an answer of some claims, each of which cites the first word of these versions."""
        evidence = [
            {
                "sourceId": source,
                "sourceVersionTx": tx,
                "start": 0,
                "end": len(quote),
                "quote": quote,
            }
            for source, tx in cites.items()
        ]
        body: dict[str, Any] = {
            "tenant": tenant,
            "question": "What is the limit?",
            "draft": "As cited.",
            "timeBasis": {"txTime": self.clock.now()},
            "claims": [
                {"idx": idx, "text": _CLAIM, "verdict": "supported", "evidence": evidence}
                for idx in range(claims)
            ],
        }
        added = trace.add_trace(self.store, self.clock, parse(TraceIn, body))
        saved = parse(SaveIn, {"tenant": tenant, "traceId": added.trace_id})
        answers = self.settings.answers
        return save.save_answer(self.store, self.clock, saved, settings=answers).answer_id

    def rechecker(self, verifier: Verifier | None = None) -> Rechecker:
        """Return what re-checks answers, structurally where no verifier is given."""
        asked = verifier or NoVerifier()
        return Rechecker(self.store, self.clock, asked, self.settings.answers, self.settings.watch)

    def settle(self, tenant: str, verifier: Verifier | None = None) -> int:
        """Dispatch and run the tenant's jobs; return how many answers were checked."""
        checked = 0
        change.dispatch_changes(self.store, self.clock, tenant, settings=self.settings.answers)
        while lease := self._lease(tenant):
            checked += len(recheck.run_job(self.rechecker(verifier), lease))
        return checked

    def _lease(self, tenant: str) -> jobs.Lease | None:
        now = RealClock().now()
        audience = jobs.Audience.INTERNAL
        return jobs.lease_job(self.store, tenant, audience=audience, now=now, until=now + HOUR)


def stands(size: Size) -> bool:
    """Tell whether the graph of this size was built whole by an earlier run."""
    return _BUILT.exists() and _BUILT.read_text(encoding="utf-8") == repr(size)


def mark(size: Size) -> None:
    """Remember that it was."""
    _BUILT.write_text(repr(size), encoding="utf-8")


@contextmanager
def staged(size: Size, now: int) -> Iterator[Stage]:
    """Bring up the stack; stop it afterwards. What an earlier run built whole is used again."""
    if HOME.exists() and not stands(size):
        local.down(HOME)
        shutil.rmtree(HOME)
    endpoints = start_local(HOME, memory=MEMORY, workers=False)
    try:
        with open_driver(
            endpoints.neo4j_uri, endpoints.neo4j_user, endpoints.neo4j_password
        ) as driver:
            settings = Settings.model_validate(
                {
                    "neo4j_uri": endpoints.neo4j_uri,
                    "neo4j_user": endpoints.neo4j_user,
                    "neo4j_password": endpoints.neo4j_password,
                    "broker_url": endpoints.broker_url,
                    "answers": AnswersSettings(enabled=True, max_saved_per_tenant=1_000_000),
                    "watch": WatchSettings(),
                }
            )
            yield Stage(driver, Neo4jStore(driver), StandingClock(now), size, endpoints, settings)
    finally:
        local.down(HOME)


def require(held: bool, why: str) -> None:
    """Refuse to report a figure of work that was not done."""
    if not held:
        raise Invalid("BENCH_WRONG", why)
