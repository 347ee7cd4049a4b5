"""A stack without servers: it notes what a command asks of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

from app.config import AnswersSettings, Settings
from app.payloads.answers import Checked
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
class FakeStack:
    """Looks like ``app.wiring.Stack``; flow functions are replaced, so no store is used."""

    settings: Settings = field(
        default_factory=lambda: Settings(tenant="acme", answers=AnswersSettings(enabled=True))
    )
    store: SimpleNamespace = field(default_factory=SimpleNamespace)
    audits: SimpleNamespace = field(default_factory=SimpleNamespace)
    clock: SetClock = field(default_factory=lambda: SetClock(NOON))
    real: SetClock = field(default_factory=lambda: SetClock(NOON))
    wake: Woken = field(default_factory=Woken)
    checks: list[Checked] = field(default_factory=list)
    asked: list[tuple[str, list[str]]] = field(default_factory=list)

    def rechecker(self) -> "FakeStack":
        return self

    def check(self, tenant: str, ids: Sequence[str]) -> list[Checked]:
        self.asked.append((tenant, list(ids)))
        return self.checks
