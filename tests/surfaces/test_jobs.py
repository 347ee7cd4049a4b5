"""``telha jobs``: listing, and retrying what was parked without losing it."""

from typing import Any

import pytest

from app.core.errors import Unavailable
from app.flow import jobs
from app.flow.jobs import JobState
from app.graph.queries.job import Retried
from app.payloads.jobs import JobView
from app.worker import send
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import spy

JOB = JobView(
    job_id="j-1",
    kind="check:answer",
    why="first",
    state="parked",
    answers=2,
    attempts=8,
    reason="STORE_BUSY: no",
    created_at=NOON,
    ids=("a-1", "a-2"),
    changes=("c-1",),
)
TASK = Retried(kind="telha.ingest_version", payload_json='{"tenant": "acme", "text": "ä"}')


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("options", "state"),
    [([], JobState.OPEN), *[(["--state", state.value], state) for state in JobState]],
)
def test_ls_lists_one_state(
    telha: Run, monkeypatch: pytest.MonkeyPatch, options: list[str], state: JobState
) -> None:
    listed = spy(monkeypatch, jobs, "list_jobs", [JOB])

    told = telha("jobs", "ls", *options, "--limit", "5").stdout

    assert listed.args[0][1:] == ("acme",)
    assert listed.kwargs == [{"state": state, "page": 5}]
    assert "2026-03-01T12:00:00Z" in told
    assert "STORE_BUSY: no" in told


@pytest.mark.usefixtures("stack")
def test_ls_as_json_is_a_list(telha_json: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, jobs, "list_jobs", [JOB])

    told: Any = telha_json("jobs", "ls")

    assert told == [JOB.model_dump(mode="json", by_alias=True)]


@pytest.mark.usefixtures("stack")
def test_show_names_answers_and_changes(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, jobs, "show_job", JOB)

    told = telha("jobs", "show", "j-1").stdout

    assert all(name in told for name in ("a-1", "a-2", "c-1"))


def test_a_retried_job_is_open_again_and_the_workers_hear_of_it(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = spy(monkeypatch, send, "send_task", None)
    retried = spy(monkeypatch, jobs, "retry_job", Retried(kind="check:answer", payload_json=None))

    told = telha("jobs", "retry", "j-1").stdout

    assert retried.args[0][1:] == ("acme", "j-1")
    assert stack.wake.for_jobs == ["acme"]
    assert sent.args == []
    assert "open again" in told


def test_a_retried_task_is_sent_again_as_it_was(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = spy(monkeypatch, send, "send_task", None)
    spy(monkeypatch, jobs, "retry_job", TASK)

    result = telha("jobs", "retry", "j-1")

    assert result.exit_code == 0
    assert sent.args == [(stack.settings, TASK.kind, {"tenant": "acme", "text": "ä"})]


def test_a_task_that_no_broker_takes_is_parked_as_before(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy(monkeypatch, send, "send_task", Unavailable("BROKER_UNAVAILABLE", "is down"))
    spy(monkeypatch, jobs, "retry_job", TASK)
    parked = spy(monkeypatch, jobs, "park_task", None)

    result = telha("jobs", "retry", "j-1")

    assert result.exit_code == 6
    assert parked.args == [(stack.store, "acme")]
    assert parked.kwargs == [
        {
            "task_id": "j-1",
            "name": TASK.kind,
            "payload_json": TASK.payload_json,
            "reason": "BROKER_UNAVAILABLE: is down",
            "now": NOON,
        }
    ]
