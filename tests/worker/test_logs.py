"""Logs and starts: no text of people, no secret, and a refusal that ends the process."""

import base64
import json
import logging
import subprocess
import sys
import time
import uuid
from typing import Any, Never

import pytest
import structlog
from celery.worker.consumer import consumer as celery_consumer

from app.core.errors import Invalid, Unavailable
from app.worker import celery_app, logs
from tests.worker.processes import ROOT, wait_for
from tests.worker.rig import Rig

CANARY = "Zelda Quimby-Canary"


def test_no_line_of_a_worker_holds_text_of_people_or_a_secret(rig: Rig) -> None:
    ingest = {"tenant": rig.tenant, "sourceId": "s", "text": f"{CANARY} 1"}
    rig.send("telha.ingest_version", **ingest)
    rig.send("telha.ingest_version", **ingest, extra=CANARY)
    rig.send("telha.save_answer", tenant=rig.tenant, traceId="none", title=CANARY)
    rig.send("telha.no_such_task", text=CANARY)
    for body, content_type in [
        ("!" + CANARY, "text/plain"),
        ("!" + CANARY, "application/json"),
        (json.dumps({"a": CANARY}), "application/json"),
        (json.dumps([{"a": CANARY}, [CANARY], None]), "application/json"),
    ]:
        rig.broker.lpush("telha", _raw(body, content_type))
    last = rig.send("telha.check_due", tenant=rig.tenant)
    wait_for(lambda: f"{last}] succeeded" in rig.fleet.started[0].text or None, 20, "the last")
    wait_for(lambda: len(rig.parked()) == 2 or None, 20, "two parked tasks")
    wait_for(lambda: rig.graph.count(rig.tenant, "SourceVersion") or None, 20, "the version")

    text = "".join(each.text for each in rig.fleet.started)
    assert text.count("it was dropped") + text.count("event=message_dropped") == 4
    assert text.count("raised outside body: InvalidTaskError") == 1
    assert CANARY not in text
    assert rig.fleet.env["NEO4J_PASSWORD"] not in text
    assert rig.broker_url.split(":")[2].split("@")[0] not in text


def _raw(body: str, content_type: str) -> str:
    """A message that no Celery client would send, in the shape that kombu keeps in Redis."""
    tag = str(uuid.uuid4())
    return json.dumps(
        {
            "body": base64.b64encode(body.encode()).decode(),
            "content-encoding": "utf-8",
            "content-type": content_type,
            "headers": {"task": "telha.ingest_version", "id": tag, "lang": "py"},
            "properties": {
                "delivery_mode": 2,
                "delivery_tag": tag,
                "body_encoding": "base64",
                "delivery_info": {"exchange": "", "routing_key": "telha"},
                "priority": 0,
            },
        }
    )


def test_an_exception_is_logged_by_its_type_and_place() -> None:
    with pytest.raises(ValueError, match=CANARY) as raised:
        int(CANARY)
    event: dict[str, Any] = {"event": "x", "exc_info": raised.value}
    told = logs.place_of_exception(None, "error", event)
    assert told["error"] == "ValueError"
    assert told["at"].startswith("test_an_exception_is_logged_by_its_type_and_place:")
    assert CANARY not in str(told)
    assert logs.place_of_exception(None, "info", {"event": "x"}) == {"event": "x"}


@pytest.mark.parametrize(
    "message",
    ["UNKNOWN_FORMAT", "UNKNOWN_TASK_ERROR", "INVALID_TASK_ERROR", "MESSAGE_DECODE_ERROR"],
)
def test_whatever_celery_says_of_a_message_it_cannot_read_is_cut(message: str) -> None:
    told = getattr(celery_consumer, message)
    record = logging.LogRecord("c", logging.ERROR, "f", 1, told, (CANARY,) * told.count("%"), None)
    assert logs.without_body(record)
    assert record.getMessage().endswith("; it was dropped")
    assert CANARY not in record.getMessage()


@pytest.mark.parametrize("command", ["worker", "beat"])
def test_without_a_broker_a_process_refuses_to_start(command: str) -> None:
    since = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "app.worker.celery_app", command],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "C_FORCE_ROOT": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1, ended.stdout
    assert "set TELHA_BROKER_URL" in ended.stdout + ended.stderr
    assert time.monotonic() - since < 60


def test_a_worker_refuses_an_old_database_but_waits_for_one_that_is_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TELHA_BROKER_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")

    def opens_with(error: Exception) -> None:
        def opened(_: object) -> Never:
            raise error

        monkeypatch.setattr(celery_app, "open_stack", opened)
        celery_app.check_before_work()

    with structlog.testing.capture_logs() as told:
        opens_with(Unavailable("STORE_UNAVAILABLE", "down"))
        with pytest.raises(SystemExit):
            opens_with(Invalid("NOT_MIGRATED", "old"))
    assert [line["event"] for line in told] == ["store_not_ready", "refused"]
