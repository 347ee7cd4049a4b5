"""A stack without servers: it notes what a command asks of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

from app.config import AnswersSettings, Settings
from app.payloads.answers import Checked
from app.payloads.generate import Indexed, IndexStatus, Lag
from tests.builders import NOON, SetClock


@dataclass
class Woken:
    """Notes who was woken."""

    tenants: list[str] = field(default_factory=list)
    for_jobs: list[str] = field(default_factory=list)

    def __call__(self, tenant: str) -> None:
        self.tenants.append(tenant)

    def jobs(self, tenant: str) -> None:
        self.for_jobs.append(tenant)


@dataclass
class FakeIndexer:
    """Notes what it is asked to index."""

    behind: Lag = field(default_factory=lambda: Lag(sources=0, oldest=None, stale=False))
    failed: str | None = None
    runs: list[dict[str, object]] = field(default_factory=list)
    tenants: list[str] = field(default_factory=list)
    embedder: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(metered=False))

    def indexer(self, tenant: str) -> "FakeIndexer":
        self.tenants.append(tenant)
        return self

    def lag(self) -> Lag:
        return self.behind

    def run(self, **stated: object) -> Indexed:
        self.runs.append(stated)
        return Indexed(versions=3, embedded=2, dropped=1, waiting=0, failed=self.failed)

    def status(self) -> IndexStatus:
        return IndexStatus(
            made_by="a", configured="b", lag=self.behind, chunks=7, failures=0, paused_until=None
        )


def _nothing(*_: object, **__: object) -> list[object]:
    """Read no row."""
    return []


@dataclass
class FakeStack:
    """Looks like ``app.wiring.Stack``; flow functions are replaced, so no store is used."""

    settings: Settings = field(
        default_factory=lambda: Settings(tenant="acme", answers=AnswersSettings(enabled=True))
    )
    store: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(read=_nothing))
    audits: SimpleNamespace = field(default_factory=SimpleNamespace)
    clock: SetClock = field(default_factory=lambda: SetClock(NOON))
    real: SetClock = field(default_factory=lambda: SetClock(NOON))
    wake: Woken = field(default_factory=Woken)
    checks: list[Checked] = field(default_factory=list)
    asked: list[tuple[str, list[str]]] = field(default_factory=list)

    index: FakeIndexer = field(default_factory=FakeIndexer)

    def maker(self) -> FakeIndexer:
        return self.index

    generates = True

    def rechecker(self) -> "FakeStack":
        return self

    def check(self, tenant: str, ids: Sequence[str]) -> list[Checked]:
        self.asked.append((tenant, list(ids)))
        return self.checks
