"""``telha audit``: rows for people and machines; a broken invariant is a conflict."""

import io
import json
from typing import Any

import pytest
from rich.console import Console

from app.core.errors import NotFound
from app.core.instants import FOREVER
from app.flow import audit
from app.payloads.audit import AuditView
from app.surfaces.cli.rows import drawn_rows
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import spy

AUDITS = [
    AuditView(name="tiles", title="Tiles", about="", invariant=True, parameters={}),
    AuditView(
        name="touched", title="Touched", about="", invariant=False, parameters={"source_id": "s"}
    ),
]
NODE = {"labels": ["Source"], "properties": {"source_id": "s"}}
PATH = [NODE, {"type": "WINS", "properties": {}}, NODE]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, audit, "list_audits", AUDITS)


def drawn(rows: list[dict[str, object]], width: int = 200) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(drawn_rows(rows))
    return out.getvalue()


@pytest.mark.usefixtures("stack")
def test_ls_tells_invariants_from_questions(telha: Run) -> None:
    lines = telha("audit", "ls").stdout.splitlines()

    assert [line.split() for line in lines[1:]] == [
        ["tiles", "invariant", "Tiles", "-"],
        ["touched", "question", "Touched", "source_id=s"],
    ]


def test_parameters_reach_the_query(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = spy(monkeypatch, audit, "run_audit", [{"answer_id": "a-1"}])

    result = telha("audit", "run", "touched", "--param", "source_id=a=b", "--param", "at=5")

    assert result.exit_code == 0
    assert ran.args == [(stack.audits, "acme", "touched", {"source_id": "a=b", "at": "5"})]
    assert ran.kwargs == [{"now": NOON}]
    assert "a-1" in result.stdout


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("params", [["source_id"], ["a=1", "a=2"]])
def test_a_parameter_is_a_name_and_a_value_once(
    telha: Run, monkeypatch: pytest.MonkeyPatch, params: list[str]
) -> None:
    ran = spy(monkeypatch, audit, "run_audit", [])

    result = telha("audit", "run", "touched", *[f"--param={each}" for each in params])

    assert result.exit_code == 2
    assert result.stderr.startswith("PARAM_INVALID")
    assert ran.args == []


@pytest.mark.usefixtures("stack")
def test_an_unknown_audit_is_not_found(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, audit, "run_audit", NotFound("AUDIT_UNKNOWN", "there is no audit x"))

    assert telha("audit", "run", "x").exit_code == 3


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("name", "rows", "code"),
    [("tiles", [{"a": 1}], 4), ("tiles", [], 0), ("touched", [{"a": 1}], 0)],
)
def test_only_an_invariant_that_finds_something_is_a_conflict(
    telha: Run,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    rows: list[dict[str, object]],
    code: int,
) -> None:
    spy(monkeypatch, audit, "run_audit", rows)

    result = telha("audit", "run", name, "--json")

    assert result.exit_code == code
    assert json.loads(result.stdout) == rows
    assert bool(result.stderr) is (code == 4)


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(("broken", "code"), [({"tiles": [{"a": 1}]}, 4), ({}, 0)])
def test_check_runs_all_invariants(
    telha: Run, monkeypatch: pytest.MonkeyPatch, broken: dict[str, Any], code: int
) -> None:
    spy(monkeypatch, audit, "broken_invariants", broken)

    people, machines = telha("audit", "check"), telha("audit", "check", "--json")

    assert (people.exit_code, machines.exit_code) == (code, code)
    assert json.loads(machines.stdout) == broken
    assert ("all invariants hold" in people.stdout) is (code == 0)
    assert ("INVARIANT_BROKEN" in people.stderr) is (code == 4)


def test_times_are_told_by_the_name_of_their_column() -> None:
    shown = drawn([{"checked_at": NOON, "tx": 0, "wins_to": FOREVER, "answers": NOON, "at": None}])

    assert shown.splitlines()[1].split() == [
        "2026-03-01T12:00:00Z",
        "1970-01-01T00:00:00Z",
        "further",
        "notice",
        str(NOON),
        "-",
    ]


def test_lists_and_truths_are_told_plainly() -> None:
    shown = drawn([{"states": ["ok", "affected"], "none": [], "wins": True, "note": {"a": "ä"}}])

    assert shown.splitlines()[1].split("  ")[0] == "ok, affected"
    assert "yes" in shown
    assert '{"a": "ä"}' in shown


@pytest.mark.parametrize("graph", [PATH, [PATH, PATH], NODE])
def test_what_browser_draws_is_left_out_also_where_one_row_has_none(graph: object) -> None:
    shown = drawn([{"id": "a", "path": None}, {"id": "b", "path": graph}])

    assert "path" not in shown
    assert "Source" not in shown
    assert "b" in shown


def test_no_rows_are_said_in_words() -> None:
    assert drawn([]) == "no rows\n"
