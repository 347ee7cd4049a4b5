"""What cannot be done as it was sent is parked with its reason, seen, and sent again on demand."""

import json
import uuid
from typing import Any

import pytest

from app.core.states import Status
from app.flow.jobs import JobState, list_jobs, retry_job
from app.worker.send import send_task
from tests.worker.processes import wait_for
from tests.worker.rig import CHECKED, Rig

LONG = "s" * 20_000


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "reason"),
    [
        pytest.param("ingest_version", (), {"text": "x"}, "PAYLOAD_INVALID", id="a field lacks"),
        pytest.param(
            "ingest_version", (), {"sourceId": LONG, "text": "x"}, "PAYLOAD_INVALID", id="long key"
        ),
        pytest.param(
            "ingest_version", (), {"sourceId": "s", "text": "x", "task": 1},
            "PAYLOAD_INVALID", id="a keyword that the function has",
        ),
        pytest.param(
            "ingest_version", (), {"sourceId": "s", "text": "x", "self": 1},
            "UNEXPECTED", id="a keyword that celery has",
        ),
        pytest.param("check_due", (1, "two"), {}, "PAYLOAD_INVALID", id="positional"),
        pytest.param("check_answer", (), {"answerId": "none"}, "ANSWER_NOT_FOUND", id="unknown"),
        pytest.param("save_answer", (), {"traceId": "none"}, "TRACE_NOT_FOUND", id="refused"),
    ],
)  # fmt: skip
def test_a_payload_that_is_refused_is_parked_once_with_its_reason(
    rig: Rig, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], reason: str
) -> None:
    sent = rig.send(f"telha.{name}", *args, **kwargs, tenant=rig.tenant)

    [parked] = wait_for(lambda: rig.parked() or None, 20, "a parked task")
    assert (parked.job_id, parked.kind, parked.attempts) == (sent, f"telha.{name}", 1)
    assert (parked.reason or "").startswith(f"{reason}: ")
    assert "x" * 20 not in (parked.reason or "")


def test_a_payload_without_a_valid_tenant_is_parked_for_the_configured_one(rig: Rig) -> None:
    sent = rig.send("telha.ingest_version", tenant="a b", sourceId="s", text="x")

    def found() -> bool | None:
        configured = rig.fleet.env["TELHA_TENANT"]
        parked = list_jobs(rig.world.store, configured, state=JobState.PARKED)
        return sent in {job.job_id for job in parked} or None

    wait_for(found, 20, "the parked task")


def test_a_parked_task_does_its_work_once_when_what_it_lacked_is_there(rig: Rig) -> None:
    rig.send("telha.save_answer", tenant=rig.tenant, traceId="late")
    [parked] = wait_for(lambda: rig.parked() or None, 20, "a parked task")

    rig.world.trace(traceId="late")
    again = retry_job(rig.world.store, rig.tenant, parked.job_id)
    assert again.payload_json is not None
    send_task(rig.settings, again.kind, json.loads(again.payload_json))
    send_task(rig.settings, again.kind, json.loads(again.payload_json))

    [saved] = wait_for(lambda: rig.world.listed().answers or None, 20, "the answer")
    rig.settle(20)
    assert saved.status is Status.CURRENT
    assert rig.parked() == []


def test_the_same_message_twice_is_one_effect_and_no_failure(rig: Rig) -> None:
    tx = rig.world.version("cap", "The cap is 2.").tx
    trace = rig.world.trace().trace_id
    twice: dict[str, dict[str, Any]] = {
        "telha.ingest_version": {"sourceId": "cap", "text": "The cap is 3."},
        "telha.save_answer": {"traceId": trace},
        "telha.add_trace": {"question": "Which?", "timeBasis": {"txTime": tx}},
    }
    for name, payload in twice.items():
        sent = str(uuid.uuid4())
        for _ in range(2):
            rig.send(name, task_id=sent, tenant=rig.tenant, **payload)
    last = rig.send("telha.ingest_version", tenant=rig.tenant, sourceId="last", text="x")

    wait_for(lambda: rig.graph.rows(_REQUEST, rig.tenant, id=last) or None, 20, "the last one")
    rig.settle(20)
    assert rig.graph.count(rig.tenant, "SourceVersion") == 3
    assert rig.graph.count(rig.tenant, "Trace") == 2
    assert rig.graph.count(rig.tenant, "SAVED_ANSWER") == 1
    assert rig.parked() == []


_REQUEST = "MATCH (r:Request {tenant: $tenant, request_id: $id}) RETURN r.operation AS operation"


def test_a_check_asked_for_while_another_runs_is_done_too(rig: Rig) -> None:
    answer = rig.rests_on("cap")
    rig.slow_checks(2)
    rig.contradict("cap")
    rig.next_checker()

    asked = rig.send("telha.check_answer", tenant=rig.tenant, answerId=answer)
    rig.send("telha.check_answer", task_id=asked, tenant=rig.tenant, answerId=answer)
    wait_for(lambda: rig.graph.rows(_DONE, rig.tenant, id=asked) or None, 30, "the check")

    rig.settle(30)
    outcomes = [row["outcome"] for row in rig.graph.rows(CHECKED, rig.tenant)]
    assert [each for each in outcomes if "->" in each] == ["current -> stale"]
    rig.has_moved_once(answer)


_DONE = "MATCH (j:Job {tenant: $tenant, job_id: $id, state: 'done'}) RETURN j.job_id AS job"
