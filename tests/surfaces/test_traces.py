"""``telha traces``: a file becomes a trace, its schema is the published one."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.flow import trace
from app.payloads.base import parse
from app.payloads.trace import TraceAdded, TraceIn
from app.surfaces.cli.traces import trace_schema
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import Spy, spy

ADDED = TraceAdded(trace_id="t-1", kind="generation", claims=1, created=True)
SCHEMA = Path(__file__).parents[2] / "docs/schemas/trace.json"


def body(**stated: Any) -> str:
    return json.dumps({"question": "What?", "timeBasis": {"txTime": NOON}} | stated)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, trace, "add_trace", ADDED)


@pytest.mark.usefixtures("stack")
def test_a_file_is_added_for_the_tenant_of_the_session(
    telha: Run, added: Spy, tmp_path: Path
) -> None:
    file = tmp_path / "trace.json"
    file.write_text(body())

    assert telha("traces", "add", str(file), "--tenant", "other").exit_code == 0

    assert added.payload == parse(TraceIn, body(tenant="other"))


@pytest.mark.usefixtures("stack")
def test_a_dash_is_standard_input(telha: Run, added: Spy) -> None:
    telha("traces", "add", "-", stdin=body(traceId="t-7"))

    assert added.payload.trace_id == "t-7"


@pytest.mark.usefixtures("stack")
def test_a_tenant_in_the_file_stays(telha: Run, added: Spy) -> None:
    telha("traces", "add", "-", stdin=body(tenant="inside"))

    assert added.payload.tenant == "inside"


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("name", "option"),
    [("tenant", "--tenant"), ("requestId", "--request-id"), ("request_id", "--request-id")],
)
def test_an_option_that_contradicts_the_file_is_refused(
    telha: Run, added: Spy, name: str, option: str
) -> None:
    result = telha("traces", "add", "-", option, "b", stdin=body(**{name: "a"}))

    assert result.exit_code == 2
    assert result.stderr.startswith("OPTION_DIFFERS")
    assert added.args == []


@pytest.mark.usefixtures("stack")
def test_an_option_that_agrees_with_the_file_is_fine(telha: Run, added: Spy) -> None:
    options = ("--tenant", "a", "--request-id", "r")

    assert telha("traces", "add", "-", *options, stdin=body(tenant="a")).exit_code == 0
    assert added.payload.request_id == "r"


@pytest.mark.usefixtures("stack")
def test_warnings_are_told_on_standard_error(telha: Run, added: Spy) -> None:
    added.result = ADDED.model_copy(update={"warnings": ("is this meant?",)})

    result = telha("traces", "add", "-", stdin=body())

    assert result.exit_code == 0
    assert "warning: is this meant?" in result.stderr
    assert "is this meant?" not in result.stdout


@pytest.mark.usefixtures("stack")
def test_warnings_are_part_of_the_json(telha_json: Run, added: Spy) -> None:
    added.result = ADDED.model_copy(update={"warnings": ("is this meant?",)})

    told: Any = telha_json("traces", "add", "-", stdin=body())

    assert told["warnings"] == ["is this meant?"]


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    "broken",
    [
        b'{"question": "secret',
        b"secret",
        b'["secret"]',
        b'"secret"',
        b"",
        b"\xffsecret",
        b"[" * 100_000,
        b'{"question": ' + b"9" * 5_000 + b"}",
    ],
    ids=["cut", "no JSON", "list", "text", "empty", "no UTF-8", "deep", "huge number"],
)
def test_what_is_no_json_object_is_refused_without_its_text(
    telha: Run, added: Spy, broken: bytes
) -> None:
    result = telha("traces", "add", "-", stdin=broken)

    assert result.exit_code == 2
    assert result.stderr.startswith("JSON_INVALID")
    assert "secret" not in result.output
    assert added.args == []


@pytest.mark.usefixtures("stack")
def test_every_problem_is_told_and_no_text(telha: Run, added: Spy) -> None:
    wrong = body(question=7, claims=[{"idx": "one", "text": "secret"}], extra="secret")

    result = telha("traces", "add", "-", stdin=wrong)

    fields = {line.split(":")[0].strip() for line in result.stderr.splitlines()[1:]}
    assert fields == {"question", "claims[0].idx", "extra"}
    assert "secret" not in result.output
    assert added.args == []


def test_a_trace_alone_wakes_nobody(telha: Run, stack: FakeStack, added: Spy) -> None:
    telha("traces", "add", "-", stdin=body())

    assert added.args
    assert stack.wake.tenants == []


def test_the_published_schema_is_the_one_of_the_model() -> None:
    assert json.loads(SCHEMA.read_text()) == trace_schema()


def test_the_schema_is_printed_without_any_stack(telha: Run) -> None:
    assert telha("traces", "schema").stdout == SCHEMA.read_text()
