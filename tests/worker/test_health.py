"""Health means progress: a process that lives and gets nothing done is not healthy."""

import json
import os
import signal
from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from app.surfaces.cli.main import app
from tests.worker.processes import wait_for
from tests.worker.rig import Rig

Ask = Callable[..., Result]


@pytest.fixture
def ask(own_rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run ``telha health`` with a limit of three seconds."""
    monkeypatch.setenv("TELHA_BROKER_URL", own_rig.broker_url)
    return lambda *args: CliRunner().invoke(app, ["health", *args, "--within", "3"])


def becomes(ask: Ask, code: int, *args: str) -> Result:
    def look() -> Result | None:
        told = ask(*args)
        return told if told.exit_code == code else None

    return wait_for(look, 30, f"exit code {code} of {args}")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_worker_that_stands_still_is_not_healthy_though_its_process_lives(
    own_rig: Rig, ask: Ask
) -> None:
    assert ask().exit_code == 6
    worker, _ = own_rig.fleet.worker(wait=False), own_rig.fleet.beat()
    assert json.loads(becomes(ask, 0, "--json").stdout).keys() == {"worker", "beat"}
    assert ask("worker", "--node", "w0@test").exit_code == 0
    assert "another@test finished no task" in ask("worker", "--node", "another@test").stderr

    os.killpg(worker.pid, signal.SIGSTOP)
    try:
        assert "no worker finished a task for" in becomes(ask, 6, "worker").stderr
        assert ask("beat").exit_code == 0
    finally:
        os.killpg(worker.pid, signal.SIGCONT)
    becomes(ask, 0, "worker")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_beat_that_stops_is_told_apart_from_the_worker(own_rig: Rig, ask: Ask) -> None:
    own_rig.fleet.worker(wait=False)
    beat = own_rig.fleet.beat()
    becomes(ask, 0)

    os.killpg(beat.pid, signal.SIGSTOP)
    own_rig.wake()
    assert "beat did not tick for" in becomes(ask, 6, "beat").stderr
    own_rig.wake()
    becomes(ask, 0, "worker")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_worker_whose_store_is_away_is_not_healthy(own_rig: Rig, ask: Ask) -> None:
    own_rig.fleet.env["NEO4J_URI"] = "bolt://127.0.0.1:1"
    worker = own_rig.fleet.worker(wait=False)
    own_rig.fleet.beat()

    wait_for(lambda: "task_waits" in worker.text or None, 60, "a task that waits for its store")
    becomes(ask, 0, "beat")
    assert ask("worker").exit_code == 6


def test_without_a_broker_of_the_right_kind_nothing_can_be_told(ask: Ask) -> None:
    other = CliRunner().invoke(app, ["health"], env={"TELHA_BROKER_URL": "amqp://127.0.0.1:1"})
    away = CliRunner().invoke(app, ["health"], env={"TELHA_BROKER_URL": "redis://127.0.0.1:1/0"})
    none = CliRunner().invoke(
        app, ["health"], env={"TELHA_BROKER_URL": None, "NEO4J_URI": "bolt://x"}
    )

    assert (other.exit_code, "BROKER_KEEPS_NO_SIGNS" in other.stderr) == (2, True)
    assert (away.exit_code, "BROKER_UNAVAILABLE" in away.stderr) == (6, True)
    assert (none.exit_code, "SERVER_UNCONFIGURED" in none.stderr) == (6, True)
