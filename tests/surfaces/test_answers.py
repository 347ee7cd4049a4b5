"""``telha answers``: the right call for each command, and what it tells."""

from typing import Any

import pytest

from app.core.difference import Op
from app.core.errors import NotFound
from app.core.states import Status
from app.flow import answers, diff, refresh, save
from app.payloads.answers import AnswerPage, Checked, Deleted, Saved
from app.payloads.refresh import (
    ClaimDiff,
    DiffView,
    EvidenceView,
    PieceView,
    Refreshing,
    RefreshState,
    RefreshView,
)
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import Spy, spy
from tests.surfaces.views import answer, row

SAVED = Saved(answer_id="a-1", trace_id="t-1", status=Status.CURRENT, created=True)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, answers, "show_answer", answer())


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Spy:
    page = AnswerPage(answers=(row(),), after=None)
    return spy(monkeypatch, answers, "list_answers", page)


@pytest.mark.parametrize(("created", "woken"), [(True, ["acme"]), (False, [])])
def test_a_save_reaches_the_flow_and_wakes_the_first_check(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch, created: bool, woken: list[str]
) -> None:
    done = spy(monkeypatch, save, "save_answer", SAVED.model_copy(update={"created": created}))

    told = telha("answers", "save", "t-1", "--title", "VAT", "--key", "k", "--request-id", "r")

    assert done.payload.model_dump(exclude_none=True) == {
        "tenant": "acme",
        "trace_id": "t-1",
        "title": "VAT",
        "created_by_key": "k",
        "request_id": "r",
    }
    assert done.kwargs == [{"settings": stack.settings.answers}]
    assert "current, not checked yet" in told.stdout
    assert stack.wake.tenants == woken


@pytest.mark.usefixtures("stack")
def test_a_save_names_one_creator(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = spy(monkeypatch, save, "save_answer", SAVED)

    assert telha("answers", "save", "t-1", "--person", "ana", "--key", "k").exit_code == 2
    assert done.args == []


@pytest.mark.usefixtures("stack")
def test_show_reads_what_stands_now(telha: Run, shown: Spy) -> None:
    result = telha("answers", "show", "a-1")

    assert result.exit_code == 0
    assert shown.args[0][1:] == ("acme", "a-1")
    assert shown.kwargs == [{"at": None}]


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("options", "at"),
    [
        (["--at", "5"], 5),
        (["--known-at", "2026-03-01T12:00:00Z"], NOON),
        (["--at", "5", "--known-at", "4"], 4),
        (["--at", "4", "--known-at", "5"], 4),
        (["--at", "0"], 0),
    ],
)
def test_an_as_of_read_takes_the_earlier_of_two_instants(
    telha: Run, shown: Spy, options: list[str], at: int
) -> None:
    told = telha("answers", "show", "a-1", *options).stdout

    assert shown.kwargs == [{"at": at}]
    assert "as it stood at" in told


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("option", ["--at", "--known-at"])
@pytest.mark.parametrize("noun", [["show", "a-1"], ["ls"]])
def test_an_as_of_instant_needs_an_offset(telha: Run, noun: list[str], option: str) -> None:
    result = telha("answers", *noun, option, "2026-03-01T12:00:00")

    assert result.exit_code == 2
    assert "INSTANT_INVALID" in result.stderr


@pytest.mark.usefixtures("stack", "shown")
def test_show_as_json_is_the_payload(telha_json: Run) -> None:
    told: Any = telha_json("answers", "show", "a-1")

    assert told == answer().model_dump(mode="json", by_alias=True)
    assert told["savedAt"] == NOON


@pytest.mark.usefixtures("stack")
def test_ls_asks_for_all_that_was_stated(telha: Run, listed: Spy) -> None:
    options = "--status stale --at 5 --known-at 6 --limit 7 --after a-0"

    telha("answers", "ls", *options.split())

    assert listed.payload.model_dump() == {
        "tenant": "acme",
        "status": Status.STALE,
        "at": 5,
        "known_at": 6,
        "page": 7,
        "after": "a-0",
    }


@pytest.mark.usefixtures("stack")
def test_ls_tells_how_to_go_on(telha: Run, listed: Spy) -> None:
    listed.result = AnswerPage(answers=(row(),), after="a-1")

    result = telha("answers", "ls")

    assert "--after a-1" in result.stderr
    assert "--after" not in result.stdout


@pytest.mark.usefixtures("stack", "listed")
def test_ls_as_json_is_the_page(telha_json: Run) -> None:
    told: Any = telha_json("answers", "ls")

    assert [each["answerId"] for each in told["answers"]] == ["a-1"]
    assert told["after"] is None


@pytest.mark.usefixtures("stack")
def test_a_row_is_one_line_in_a_pipe(telha: Run, listed: Spy) -> None:
    uid = "3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"
    shown = row(answer_id=uid, title="VAT in Germany", expires_at=NOON)
    listed.result = AnswerPage(answers=(shown,), after=None)

    [heading, line] = telha("answers", "ls").stdout.splitlines()

    assert heading.startswith("answer")
    assert line.startswith(uid)
    assert "VAT in Germany" in line


@pytest.mark.parametrize(("changed", "woken"), [(True, ["acme"]), (False, [])])
def test_check_runs_now_and_tells_the_outcome(
    telha: Run, stack: FakeStack, changed: bool, woken: list[str]
) -> None:
    stack.checks = [
        Checked(answer_id="a-1", status=Status.STALE, changed=changed, transition=changed)
    ]

    told = telha("answers", "check", "a-1").stdout

    assert stack.asked == [("acme", ["a-1"])]
    assert "stale" in told
    assert stack.wake.tenants == woken


@pytest.mark.usefixtures("stack")
def test_checking_an_unknown_or_dead_answer_is_not_found(telha: Run) -> None:
    result = telha("answers", "check", "a-9")

    assert result.exit_code == 3
    assert result.stderr.startswith("ANSWER_NOT_FOUND")


@pytest.mark.usefixtures("stack")
def test_rm_reaches_the_flow(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = spy(monkeypatch, save, "delete_answer", Deleted(answer_id="a-1", deleted=True))

    telha("answers", "rm", "a-1", "--actor", "ana", "--request-id", "r")

    assert done.payload.model_dump() == {
        "tenant": "acme",
        "answer_id": "a-1",
        "actor": "ana",
        "request_id": "r",
    }


@pytest.mark.usefixtures("stack", "shown")
@pytest.mark.parametrize("command", ["show", "check", "rm"])
def test_an_id_that_can_be_none_is_refused_before_the_store_sees_it(
    telha: Run, command: str
) -> None:
    result = telha("answers", command, "a\x1fb")

    assert result.exit_code == 2
    assert "KEY_INVALID" in result.stderr


def test_a_refresh_is_accepted_with_the_new_id_and_wakes_a_worker(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = Refreshing(answer_id="a-1", new_answer_id="a-2", created=True)
    done = spy(monkeypatch, refresh, "ask_refresh", accepted)

    told = telha("answers", "refresh", "a-1", "--actor", "ana", "--request-id", "r")

    assert done.payload.model_dump(exclude_none=True) == {
        "tenant": "acme",
        "answer_id": "a-1",
        "actor": "ana",
        "request_id": "r",
    }
    assert done.kwargs == [{"configured": True}]
    assert "a-2" in told.stdout
    assert "being made" in told.stdout
    assert stack.wake.for_jobs == ["acme"]


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("state", "reason", "told"),
    [
        (RefreshState.OPEN, None, "refreshing, no saved answer yet"),
        (RefreshState.FAILED, "COST_CAP_EXCEEDED: enough", "COST_CAP_EXCEEDED"),
    ],
)
def test_show_says_that_an_answer_is_being_made_or_why_it_could_not_be(
    telha: Run, monkeypatch: pytest.MonkeyPatch, state: RefreshState, reason: str | None, told: str
) -> None:
    spy(monkeypatch, answers, "show_answer", NotFound("ANSWER_NOT_FOUND", "no such answer"))
    view = RefreshView(
        new_answer_id="a-2",
        answer_id="a-1",
        state=state,
        reason=reason,
        requested_by="ana",
        requested_at=NOON,
        finished_at=None,
    )
    spy(monkeypatch, refresh, "read_refresh", view)

    result = telha("answers", "show", "a-2")

    assert result.exit_code == 0
    assert told in result.stdout


@pytest.mark.usefixtures("stack")
def test_a_diff_marks_what_went_and_what_came(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        PieceView(op=Op.SAME, text="The cap is "),
        PieceView(op=Op.REMOVED, text="2"),
        PieceView(op=Op.ADDED, text="5"),
    )
    cited = EvidenceView(source_id="cap", tx=NOON, start=0, end=3, quote="The")
    claim = ClaimDiff(old_idx=0, new_idx=None, text=text, old_evidence=(cited,), new_evidence=())
    view = DiffView(old_answer_id="a-1", new_answer_id="a-2", draft=text, claims=(claim,))
    done = spy(monkeypatch, diff, "diff_answers", view)

    told = telha("answers", "diff", "a-1", "a-2").stdout

    assert done.args[0][1:] == ("acme", "a-1", "a-2")
    assert "The cap is [-2-]{+5+}" in told
    assert "0 → –" in told
    assert "old evidence cap 2026-03-01T12:00:00Z [0, 3) “The”" in told
