"""Refusals: one block on standard error, an exit code by kind, never a traceback."""

import json

import pytest
from typer.testing import CliRunner

from app.core.errors import (
    Conflict,
    Invalid,
    InvalidInput,
    LimitReached,
    NotFound,
    Problem,
    TelhaError,
    Unavailable,
)
from app.flow import answers
from app.surfaces.cli import shared
from app.surfaces.cli.main import app
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import spy

REFUSED = NotFound("ANSWER_NOT_FOUND", "no such answer", field="answerId", hint="List them.")


def both(kind: type[TelhaError]) -> TelhaError:
    return kind("SOME_CODE", "some message")


@pytest.mark.parametrize(
    ("kind", "code"),
    [(Invalid, 2), (NotFound, 3), (Conflict, 4), (LimitReached, 5), (Unavailable, 6)],
)
@pytest.mark.usefixtures("stack")
def test_each_kind_of_refusal_has_its_exit_code(
    telha: Run, monkeypatch: pytest.MonkeyPatch, kind: type[TelhaError], code: int
) -> None:
    spy(monkeypatch, answers, "show_answer", both(kind))

    result = telha("answers", "show", "a-1")

    assert result.exit_code == code
    assert result.stderr == "SOME_CODE: some message\n"
    assert result.stdout == ""


@pytest.mark.usefixtures("stack")
def test_a_refusal_tells_where_and_what_to_do(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, answers, "show_answer", REFUSED)

    told = telha("answers", "show", "a-1").stderr.splitlines()

    assert told == ["ANSWER_NOT_FOUND: no such answer", "  where: answerId", "  hint: List them."]


@pytest.mark.usefixtures("stack")
def test_a_refusal_is_one_json_object_where_json_was_asked_for(
    telha: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy(monkeypatch, answers, "show_answer", REFUSED)

    result = telha("answers", "show", "a-1", "--json")

    assert result.exit_code == 3
    assert result.stdout == ""
    assert json.loads(result.stderr) == {
        "code": "ANSWER_NOT_FOUND",
        "message": "no such answer",
        "field": "answerId",
        "hint": "List them.",
        "problems": [],
    }


PROBLEMS = InvalidInput(
    "TRACE_INVALID", [Problem("claims[0].idx", "used twice"), Problem("draft", "too long")]
)


@pytest.mark.usefixtures("stack")
def test_every_problem_of_an_input_is_listed(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, answers, "show_answer", PROBLEMS)

    told = telha("answers", "show", "a-1").stderr.splitlines()

    assert told[1:] == ["  claims[0].idx: used twice", "  draft: too long"]
    assert told[0].startswith("TRACE_INVALID: ")


@pytest.mark.usefixtures("stack")
def test_every_problem_is_in_the_json(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, answers, "show_answer", PROBLEMS)

    told = json.loads(telha("answers", "show", "a-1", "--json").stderr)

    assert told["problems"] == [
        {"field": "claims[0].idx", "message": "used twice"},
        {"field": "draft", "message": "too long"},
    ]


@pytest.mark.usefixtures("stack")
def test_a_misused_command_line_is_json_where_json_was_asked_for(telha: Run) -> None:
    result = telha("answers", "ls", "--status", "rotten", "--json")

    assert result.exit_code == 2
    assert json.loads(result.stderr)["code"] == "USAGE"


@pytest.mark.usefixtures("stack")
def test_a_misused_command_line_exits_with_2(telha: Run) -> None:
    assert telha("answers", "ls", "--status", "rotten").exit_code == 2


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("tenant", ["", "a b", "all*", "ä"])
def test_a_tenant_that_is_none_is_refused(telha: Run, tenant: str) -> None:
    result = telha("answers", "ls", "--tenant", tenant)

    assert result.exit_code == 2
    assert result.stderr.startswith("TENANT_INVALID: ")


@pytest.mark.usefixtures("stack")
def test_something_unexpected_exits_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, answers, "show_answer", ZeroDivisionError())

    assert CliRunner().invoke(app, ["answers", "show", "a-1"]).exit_code == 1


@pytest.mark.usefixtures("stack")
def test_an_unreadable_payload_is_refused_without_its_text(telha: Run) -> None:
    result = telha("answers", "save", "t-1", "--title", "   ", "--person", "secret\udcff")

    assert result.exit_code == 2
    assert "title" in result.stderr
    assert "createdByPerson" in result.stderr
    assert "secret" not in result.stderr


def test_wrong_settings_are_named_and_their_values_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEO4J_URI", "postgres://user:hunter2@host")

    with pytest.raises(InvalidInput) as refused:
        shared.read_settings()

    assert refused.value.code == "SETTINGS_INVALID"
    assert [each.field for each in refused.value.problems] == ["NEO4J_URI"]
    assert "hunter2" not in str(refused.value)


def test_settings_that_are_no_json_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELHA_ANSWERS", "hunter2")

    with pytest.raises(Invalid) as refused:
        shared.read_settings()

    assert refused.value.code == "SETTINGS_INVALID"
    assert "hunter2" not in str(refused.value)


def test_a_refusal_while_opening_the_stack_is_told_too(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise Unavailable("STORE_UNAVAILABLE", "Neo4j does not answer")

    monkeypatch.setattr(shared, "open_stack", refuse)

    result = telha("answers", "ls")

    assert result.exit_code == 6
    assert result.stderr == "STORE_UNAVAILABLE: Neo4j does not answer\n"
