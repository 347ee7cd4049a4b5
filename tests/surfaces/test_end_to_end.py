"""The command line on a real graph: what one command writes, the next one reads."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from neo4j import Driver

from app.flow.audit import broken_invariants
from app.graph.audits import Neo4jAudits
from app.local.service import Endpoints
from tests.surfaces.conftest import Run

Json = Callable[..., Any]

OLD, NEW = "VAT is 16 %.", "VAT is 19 %."
WHEN = "2026-01-01T00:00:00Z"


@pytest.fixture(autouse=True)
def server(
    monkeypatch: pytest.MonkeyPatch, endpoints: Endpoints, driver: Driver, tenant: str
) -> Iterator[None]:
    """Settings for the server of the run, without a broker; its invariants hold afterwards."""
    for name, value in {
        "NEO4J_URI": endpoints.neo4j_uri,
        "NEO4J_USER": endpoints.neo4j_user,
        "NEO4J_PASSWORD": endpoints.neo4j_password,
        "TELHA_TENANT": tenant,
        "TELHA_ANSWERS__ENABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("TELHA_BROKER_URL", raising=False)
    yield
    assert not broken_invariants(Neo4jAudits(driver), tenant)


def trace(tx: int, quote: str = "16 %") -> str:
    start = OLD.find("16 %")
    evidence = {
        "sourceId": "rates/de",
        "sourceVersionTx": tx,
        "start": start,
        "end": start + 4,
        "quote": quote,
    }
    claims = [
        {"idx": 0, "text": OLD, "evidence": [evidence]},
        {"idx": 1, "text": "That is fair."},
    ]
    basis = {"txTime": tx}
    return json.dumps(
        {"question": "What is VAT?", "draft": OLD, "timeBasis": basis, "claims": claims}
    )


@pytest.fixture
def saved(telha_json: Json) -> str:
    """An answer that rests on the old rate; not checked yet."""
    stored = telha_json("ingest", "version", "rates/de", "--text", OLD, "--valid-from", WHEN)
    added = telha_json("traces", "add", "-", stdin=trace(stored["tx"]))
    return str(telha_json("answers", "save", added["traceId"], "--person", "ana")["answerId"])


def test_an_answer_goes_stale_when_its_source_moves(
    telha: Run, telha_json: Json, saved: str
) -> None:
    assert "not checked yet" in telha("answers", "show", saved).stdout
    assert telha_json("answers", "check", saved)["status"] == "current"
    before = telha_json("answers", "show", saved)

    newer = telha_json("ingest", "version", "rates/de", "--text", NEW)
    checked = telha_json("answers", "check", saved)

    assert (newer["winsNow"], checked["status"]) == (True, "partially_stale")
    assert checked["transition"]
    [cause] = telha_json("answers", "show", saved)["claims"][0]["causes"]
    assert (cause["kind"], cause["winningTx"]) == ("newer_version", newer["tx"])
    assert cause["winningStart"] is None
    shown = telha("answers", "show", saved).stdout
    assert "a newer version took the place of the cited one: rates/de" in shown
    assert "2 claims, 1 affected, 1 not checkable" in shown
    as_of = telha_json("answers", "show", saved, "--at", str(before["checkedAt"]))
    assert as_of["status"] == "current"


def test_an_answer_is_listed_by_status_and_gone_once_deleted(
    telha: Run, telha_json: Json, saved: str
) -> None:
    current = telha_json("answers", "ls", "--status", "current")["answers"]
    stale = telha_json("answers", "ls", "--status", "stale")["answers"]

    assert ([each["answerId"] for each in current], stale) == ([saved], [])
    assert telha_json("answers", "rm", saved) == {"answerId": saved, "deleted": True}
    assert telha_json("answers", "ls")["answers"] == []
    assert telha("answers", "check", saved).exit_code == 3


def test_a_repeated_save_is_the_first_one_by_its_request_id_and_else_a_conflict(
    telha: Run, telha_json: Json
) -> None:
    stored = telha_json("ingest", "version", "rates/de", "--text", OLD)
    trace_id = telha_json("traces", "add", "-", stdin=trace(stored["tx"]))["traceId"]
    first = telha_json("answers", "save", trace_id, "--request-id", "r")

    repeated = telha_json("answers", "save", trace_id, "--request-id", "r")
    assert (first["created"], repeated) == (True, first | {"created": False})
    again = telha("answers", "save", trace_id, "--request-id", "other", "--json")
    assert again.exit_code == 4
    told = json.loads(again.stderr)
    assert told["code"] == "ALREADY_SAVED"
    assert first["answerId"] in told["message"]


def test_a_trace_is_refused_with_all_its_problems(telha: Run, telha_json: Json) -> None:
    stored = telha_json("ingest", "version", "rates/de", "--text", OLD)
    body = json.loads(trace(stored["tx"], quote="91 %"))
    body["claims"][1]["pendingClarifications"] = ["nowhere"]

    result = telha("traces", "add", "-", "--json", stdin=json.dumps(body))

    assert result.exit_code == 2
    problems = json.loads(result.stderr)["problems"]
    assert {each["field"] for each in problems} == {
        "claims[0].evidence[0].quote",
        "claims[1].pendingClarifications[0]",
    }
    assert "91 %" not in result.stderr


def test_a_source_is_read_now_and_as_it_was(telha: Run, telha_json: Json) -> None:
    old = telha_json("ingest", "version", "s", "--text", OLD, "--valid-from", WHEN)
    new = telha_json("ingest", "version", "s", "--text", NEW)
    recorded = telha_json("sources", "show", "s", "--tx", str(old["tx"]))["recordedAt"]

    assert telha_json("sources", "show", "s")["text"] == NEW
    assert telha_json("sources", "show", "s", "--at", WHEN)["text"] == OLD
    assert telha_json("sources", "show", "s", "--known-at", str(recorded))["text"] == OLD
    listed = telha_json("sources", "versions", "s")
    assert [each["tx"] for each in listed] == [new["tx"], old["tx"]]
    assert telha("sources", "show", "nothing").exit_code == 3


def test_a_steward_overrides_releases_and_withdraws(telha_json: Json) -> None:
    old = telha_json("ingest", "version", "s", "--text", OLD)
    telha_json("ingest", "version", "s", "--text", NEW)

    bound = telha_json("ingest", "override", "s", "--bind", str(old["tx"]))
    assert telha_json("sources", "show", "s")["text"] == OLD
    assert telha_json("ingest", "release", bound["overrideId"])["released"]
    assert telha_json("sources", "show", "s")["text"] == NEW
    newest = telha_json("sources", "show", "s")["tx"]
    assert telha_json("ingest", "withdraw", "s", "--tx", str(newest))["tombstoned"] == 1
    assert telha_json("sources", "show", "s")["text"] == OLD
    assert telha_json("ingest", "cascade", "s")["tombstoned"] == 1


def test_an_end_leaves_nothing_to_read(telha: Run, telha_json: Json) -> None:
    telha_json("ingest", "version", "s", "--text", OLD)

    assert telha_json("ingest", "end", "s")["winsNow"]
    assert telha("sources", "show", "s").exit_code == 3


def test_a_clarification_opens_and_is_bound(telha: Run, telha_json: Json) -> None:
    telha_json("ingest", "version", "s", "--text", OLD)

    unknown = telha("ingest", "clarify", "q", "--state", "withdrawn")
    opened = telha_json(
        "ingest", "clarify", "q", "--state", "open", "--source", "s", "--question", "Which?"
    )
    bound = telha_json("ingest", "clarify", "q", "--state", "bound", "--text", "this")

    assert unknown.exit_code == 3
    assert (opened["state"], bound["state"], bound["seq"] > opened["seq"]) == (
        "open",
        "bound",
        True,
    )


def test_an_import_is_repeated_without_effect(telha_json: Json, tmp_path: Path) -> None:
    file = tmp_path / "versions.jsonl"
    rows = [
        {"doc": "d", "seq": 0, "text": OLD, "author_ts": 1_000},
        {"doc": "d", "seq": 1, "text": NEW, "author_ts": 2_000},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    first = telha_json("import", "jsonl", str(file))
    second = telha_json("import", "jsonl", str(file))

    assert (first["stored"], first["duplicates"]) == (2, 0)
    assert (second["stored"], second["duplicates"]) == (0, 2)


def test_the_first_check_is_a_job_that_can_be_shown(
    telha: Run, telha_json: Json, saved: str
) -> None:
    [job] = telha_json("jobs", "ls")

    assert telha_json("jobs", "show", job["jobId"])["ids"] == [saved]
    assert telha("jobs", "retry", job["jobId"]).exit_code == 3  # it is open, not parked


def test_audits_are_listed_and_run(telha: Run, telha_json: Json, saved: str) -> None:
    names = {each["name"] for each in telha_json("audit", "ls")}

    assert {"citations_of_answer", "tiles_gap_free"} <= names
    rows = telha_json("audit", "run", "citations_of_answer", "--param", f"answer_id={saved}")
    assert rows[0]["wins"] is True
    assert (
        "rates/de"
        in telha("audit", "run", "citations_of_answer", "--param", f"answer_id={saved}").stdout
    )
    assert telha_json("audit", "run", "tiles_gap_free") == []
    assert telha_json("audit", "check") == {}
    assert telha("audit", "run", "nothing").exit_code == 3


def test_a_broken_invariant_is_found(
    telha: Run, telha_json: Json, driver: Driver, tenant: str
) -> None:
    telha_json("ingest", "version", "s", "--text", OLD)
    cut = "MATCH (:Source {tenant: $tenant})-[w:WINS]->() SET w.valid_to = w.valid_to + $by"
    driver.execute_query(cut, tenant=tenant, by=-1)
    try:
        one, every = telha("audit", "run", "tiles_gap_free"), telha("audit", "check")
    finally:
        driver.execute_query(cut, tenant=tenant, by=1)

    assert (one.exit_code, every.exit_code) == (4, 4)
    assert "tiles_gap_free" in every.stderr


def test_tenants_see_nothing_of_each_other(telha: Run, telha_json: Json, saved: str) -> None:
    assert telha_json("answers", "ls", "--tenant", "somebody-else")["answers"] == []
    for command in ("show", "check", "rm"):
        assert telha("answers", command, saved, "--tenant", "somebody-else").exit_code == 3


def test_the_clock_of_a_server_is_the_real_one(telha: Run, telha_json: Json) -> None:
    told = telha_json("clock", "show")

    assert not told["settable"]
    assert telha("clock", "set", WHEN).exit_code == 2


def test_a_database_that_stands_is_not_migrated_again(telha_json: Json) -> None:
    assert telha_json("migrate") == {"applied": []}


def test_a_server_that_does_not_answer_is_unavailable(
    telha: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")

    result = telha("answers", "ls")

    assert result.exit_code == 6
    assert result.stderr.startswith("STORE_UNAVAILABLE")


def test_a_parked_task_without_a_broker_stays_parked(
    telha: Run, telha_json: Json, driver: Driver, tenant: str
) -> None:
    driver.execute_query(
        "CREATE (:Job {tenant: $tenant, job_id: 'j', kind: 'telha.add_trace', audience: 'internal',"
        " state: 'parked', ids: [], run_at: 0, attempts: 1, reason: 'X: y', created_at: 0,"
        " payload_json: '{}'})",
        tenant=tenant,
    )

    assert telha("jobs", "retry", "j").exit_code == 6
    [job] = telha_json("jobs", "ls", "--state", "parked")
    assert job["jobId"] == "j"
    assert job["reason"].startswith("BROKER_UNAVAILABLE")


def test_a_question_is_answered_saved_and_goes_stale(telha: Run, telha_json: Json) -> None:
    telha_json("ingest", "version", "rates/de", "--text", OLD, "--valid-from", WHEN)

    told = telha_json("ask", "What is VAT?", "--save", "--person", "ana")

    [claim] = told["answer"]["claims"]
    assert (claim["text"], claim["verdict"]) == (OLD, "supported")
    assert (claim["evidence"][0]["sourceId"], claim["evidence"][0]["quote"]) == ("rates/de", OLD)
    assert telha_json("answers", "check", told["answerId"])["status"] == "current"
    telha_json("ingest", "version", "rates/de", "--text", NEW)
    assert telha_json("answers", "check", told["answerId"])["status"] == "stale"
    assert NEW in telha("ask", "What is VAT?").stdout
    assert OLD in telha("ask", "What is VAT?", "--valid-time", WHEN).stdout
    assert "[1] rates/de@" in telha("ask", "VAT", "--query").stdout
    assert telha("ask", "VAT", "--source", "nowhere").exit_code == 2


def test_the_index_is_run_and_shown(telha: Run, telha_json: Json) -> None:
    telha_json("ingest", "version", "rates/de", "--text", OLD)
    assert telha_json("index", "status")["lag"]["versions"] == 1
    assert telha_json("index", "run")["versions"] == 1
    status = telha_json("index", "status")
    assert (status["chunks"], status["lag"]["sources"]) == (1, 0)
