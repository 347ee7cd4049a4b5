"""docker-compose.yml, run for real: who has Celery and the broker's address sees an answer move.

Needs a Docker engine with compose, and the three public images in it: nothing is pulled.
"""

import os
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from celery import Celery

from app.graph.store import open_driver
from app.local.ports import choose
from tests import containers
from tests.worker.processes import wait_for

ROOT: Final = Path(__file__).parents[2]
IMAGES: Final = (containers.NEO4J, "redis:7-alpine", "python:3.11-slim")
OLD, NEW = "VAT is 16 %.", "VAT is 19 %."
TX: Final = 1_767_225_600_000_000

pytestmark = [
    pytest.mark.proof,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not containers.engine_answers(), reason="no Docker engine answers"),
]


@dataclass(frozen=True)
class Project:
    """The services of one test, on ports and passwords of their own."""

    name: str
    env: dict[str, str]

    def compose(self, *args: str, seconds: float = 60) -> str:
        done = subprocess.run(
            ["docker", "compose", "--project-name", self.name, *args],
            cwd=ROOT,
            env={**os.environ, **self.env},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout

    def send(self, name: str, **payload: object) -> None:
        url = f"redis://:{self.env['REDIS_PASSWORD']}@127.0.0.1:{self.env['TELHA_REDIS_PORT']}/0"
        with Celery(broker=url) as caller:
            caller.send_task(name, kwargs={"tenant": "acme", **payload}, queue="telha")

    def sees(self, cypher: str, *expected: object) -> None:
        """Wait until a query returns this one row."""
        uri = f"bolt://127.0.0.1:{self.env['TELHA_BOLT_PORT']}"
        with open_driver(uri, "neo4j", self.env["NEO4J_PASSWORD"]) as driver:
            wait_for(
                lambda: driver.execute_query(cypher)[0] == [expected] or None, 300, f"{expected}"
            )


@pytest.fixture(scope="module")
def project() -> Iterator[Project]:
    if not containers.has_images(*IMAGES):
        pytest.skip(f"the engine lacks one of {', '.join(IMAGES)}")
    if subprocess.run(
        ["docker", "compose", "version"], capture_output=True, check=False
    ).returncode:
        pytest.skip("docker has no compose")
    ports: list[int] = []
    for _ in range(3):
        ports.append(choose(set(ports)))
    env = dict(
        zip(
            ("TELHA_BOLT_PORT", "TELHA_BROWSER_PORT", "TELHA_REDIS_PORT"),
            map(str, ports),
            strict=True,
        )
    )
    env |= {name: secrets.token_hex(16) for name in ("NEO4J_PASSWORD", "REDIS_PASSWORD")}
    made = Project(f"telha-test-{secrets.token_hex(4)}", env)
    try:
        made.compose("up", "--build", "--wait", seconds=1500)
        yield made
    finally:
        made.compose("down", "--volumes", seconds=200)


def trace() -> dict[str, Any]:
    quote = {"sourceId": "rates/de", "sourceVersionTx": TX, "start": 7, "end": 11, "quote": "16 %"}
    return {
        "traceId": "t",
        "question": "What is VAT?",
        "draft": OLD,
        "timeBasis": {"txTime": TX},
        "claims": [{"idx": 0, "text": OLD, "evidence": [quote]}],
    }


def test_an_answer_saved_by_task_name_goes_stale_when_its_source_moves(project: Project) -> None:
    answer = "MATCH (a:SAVED_ANSWER {tenant: 'acme'}) RETURN a.status, a.checked_at IS NOT NULL"

    project.send("telha.ingest_version", sourceId="rates/de", text=OLD, tx=TX)
    project.sees("MATCH (v:SourceVersion {tenant: 'acme'}) RETURN v.tx", TX)
    project.send("telha.add_trace", **trace())
    project.sees("MATCH (t:Trace {tenant: 'acme'}) RETURN t.trace_id", "t")
    project.send("telha.save_answer", traceId="t")
    project.sees(answer, "current", True)

    project.send("telha.ingest_version", sourceId="rates/de", text=NEW)

    project.sees(answer, "stale", True)


def test_what_answers_is_on_the_loopback_address_and_not_run_by_root(project: Project) -> None:
    for service, port in (("neo4j", "7687"), ("neo4j", "7474"), ("redis", "6379")):
        assert project.compose("port", service, port).startswith("127.0.0.1:")
    assert project.compose("exec", "-T", "worker", "id", "-u").strip() == "10001"


def test_a_worker_that_stands_still_is_not_healthy(project: Project) -> None:
    project.compose("exec", "-T", "worker", "telha", "health")
    project.compose("kill", "--signal", "SIGSTOP", "worker")
    try:
        asked = project.compose("run", "--rm", "-T", "--no-deps", "beat", "sh", "-c", LATER)
    finally:
        project.compose("kill", "--signal", "SIGCONT", "worker")
    assert "no worker finished a task for" in asked


LATER: Final = "sleep 8; telha health worker --within 5 2>&1 || true"


def test_compose_refuses_to_start_without_passwords() -> None:
    bare = {name: value for name, value in os.environ.items() if not name.endswith("_PASSWORD")}
    refused = subprocess.run(
        ["docker", "compose", "--env-file", os.devnull, "config", "--quiet"],
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode != 0
    assert "set it in .env" in refused.stderr
