"""Draining: a job that fails in any way is put back with its reason, and those behind it run."""

import threading
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from app.config import Settings
from app.flow.jobs import JobState, Lease, LeaseLost, list_jobs
from app.flow.recheck import run_job
from app.wiring import Stack
from app.worker import drain
from tests.builders import Said, World
from tests.fakes import Broken


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("Zelda Quimby-Canary"), "UNEXPECTED: ValueError"),
        (Broken(), "STORE_UNAVAILABLE: the fake store does not answer"),
        (LeaseLost("another has it"), None),
    ],
)
def test_what_a_job_fails_on_stops_no_other(
    home: Stack, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str | None
) -> None:
    world = World(cast("Any", home.store), home.settings.tenant)
    for question in ("Why?", "When?"):
        world.saved(Said("a", ()), question=question)
    seen: list[Lease] = []
    really = run_job

    def fails_first(rechecker: Any, lease: Lease) -> object:
        seen.append(lease)
        if len(seen) == 1:
            raise error
        return really(rechecker, lease)

    monkeypatch.setattr(drain, "run_job", fails_first)
    monkeypatch.setattr(drain, "SLICE", 10.0)
    drain.drain(home, home.settings.tenant)
    assert len(seen) == 2
    [left] = list_jobs(home.store, home.settings.tenant, state=JobState.OPEN)
    assert (left.job_id, left.reason) == (seen[0].job_id, reason)


def test_after_a_slice_the_tenant_queues_up_behind_the_others(
    home: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(cast("Any", home.store), home.settings.tenant)
    for question in ("Why?", "When?"):
        world.saved(Said("a", ()), question=question)
    woken: list[str] = []
    monkeypatch.setattr(type(home.wake), "jobs", lambda _, tenant: woken.append(tenant))
    monkeypatch.setattr(drain, "SLICE", 0.0)
    drain.drain(home, home.settings.tenant)
    assert woken == [home.settings.tenant]
    assert len(list_jobs(home.store, home.settings.tenant, state=JobState.OPEN)) == 1


@dataclass
class Fickle:
    """A lease that cannot be renewed at first, and is lost then."""

    job_id: str = "j"
    asked: int = 0

    def renew(self, store: object, *, until: int) -> bool:
        self.asked += 1
        if self.asked == 1:
            raise Broken
        return False


def test_a_lease_that_could_not_be_renewed_is_renewed_a_little_later(home: Stack) -> None:
    brisk = Settings.model_validate({"worker": {"lease_seconds": 3}})
    lease = Fickle()
    drain._keep(replace(home, settings=brisk), cast("Lease", lease), threading.Event())
    assert lease.asked == 2
