"""Every public task, called by name from a process that has nothing but Celery."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.states import Status
from app.flow.jobs import JobState, list_jobs
from app.worker.celery_app import app
from tests.builders import CAP
from tests.worker.processes import ROOT, wait_for
from tests.worker.rig import CHECKED, Rig

_CALLER = """
import json, sys
from celery import Celery
telha = Celery(broker=sys.argv[1])
for line in sys.stdin:
    name, args, kwargs = json.loads(line)
    print(telha.send_task(name, args=args, kwargs=kwargs, queue="telha").id, flush=True)
assert not [m for m in sys.modules if m.partition(".")[0] in ("app", "neo4j", "pydantic")]
"""
DOC = (ROOT / "docs/tasks.md").read_text()


class Caller:
    """Another process, which imports Celery alone."""

    def __init__(self, broker_url: str) -> None:
        words = [sys.executable, "-c", _CALLER, broker_url]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path("/")
        )

    def __call__(self, name: str, *args: Any, **kwargs: Any) -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([name, args, kwargs]) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self) -> int:
        self._process.communicate(timeout=30)
        return self._process.returncode


def examples() -> dict[str, dict[str, Any]]:
    """The documented payload of each task."""
    found = re.findall(r"^## `(telha\.\w+)`\n(?:.*\n)*?```json\n((?:.*\n)*?)```", DOC, re.MULTILINE)
    return {name: json.loads(body) for name, body in found}


def test_the_documented_tasks_are_the_registered_ones() -> None:
    app.loader.import_default_modules()
    assert set(examples()) == {name for name in app.tasks if name.startswith("telha.")}


@pytest.mark.slow
def test_every_documented_example_does_its_work_when_called_by_name(rig: Rig) -> None:
    call = Caller(rig.broker_url)
    told = {name: body | {"tenant": rig.tenant} for name, body in examples().items()}
    source = told["telha.ingest_version"]["sourceId"]

    call("telha.ingest_version", **told["telha.ingest_version"])
    wait_for(lambda: rig.graph.count(rig.tenant, "SourceVersion") or None, 20, "the version")
    call("telha.add_trace", told["telha.add_trace"])
    wait_for(lambda: rig.graph.count(rig.tenant, "Trace") or None, 20, "the trace")
    call("telha.save_answer", **told["telha.save_answer"])
    wait_for(lambda: rig.graph.count(rig.tenant, "SAVED_ANSWER") or None, 20, "the answer")
    rig.settle(20)
    [row] = rig.world.listed().answers
    assert row.status is Status.CURRENT

    checks = len(rig.graph.rows(CHECKED, rig.tenant))
    call("telha.check_answer", told["telha.check_answer"] | {"answerId": row.answer_id})
    wait_for(lambda: len(rig.graph.rows(CHECKED, rig.tenant)) > checks or None, 20, "its check")

    rig.world.version(source, CAP)
    call("telha.dispatch_changes", **told["telha.dispatch_changes"])
    wait_for(lambda: rig.world.status(row.answer_id) is Status.STALE or None, 20, "stale")
    wait_for(lambda: rig.progress().open_windows or None, 5, "a window")
    wait_for(lambda: _closed(rig, told["telha.close_emit_windows"]), 20, "the event")
    rig.has_moved_once(row.answer_id)

    overdue = "MATCH (a:SAVED_ANSWER {tenant: $tenant}) SET a.recheck_due_at = 1"
    rig.graph.rows(overdue, rig.tenant)
    call("telha.check_due", told["telha.check_due"])
    rig.settle(20)
    assert list_jobs(rig.world.store, rig.tenant, state=JobState.PARKED) == []
    assert call.close() == 0


def _closed(rig: Rig, payload: dict[str, Any]) -> bool | None:
    rig.send("telha.close_emit_windows", payload)
    return bool(rig.world.events()) or None
