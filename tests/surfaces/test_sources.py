"""``telha sources`` and ``telha events``: reads of what is kept."""

from typing import Any

import pytest

from app.core.statements import Removal
from app.core.states import Severity, Status
from app.core.transitions import Direction
from app.flow import emit, sources
from app.payloads.jobs import Event
from app.payloads.sources import SourceVersionView
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import spy

AT = "2026-03-01T12:00:00Z"


def version(**stated: Any) -> SourceVersionView:
    return SourceVersionView(
        **{
            "source_id": "s",
            "tx": NOON,
            "valid_from": NOON,
            "valid_to": None,
            "recorded_at": NOON,
            "observed_at": NOON,
            "ends": False,
            "corrects_tx": None,
            "override_only": False,
            "removal": None,
            "origin": "git:1",
            "text": "VAT is [bold]19[/bold] %\n",
        }
        | stated
    )


EVENT = Event(
    event_id="e-1",
    answer_id="a-1",
    number=1,
    from_status=Status.CURRENT,
    to_status=Status.STALE,
    changed_claims=(0, 2),
    severity=Severity.MATERIAL,
    direction=Direction.WORSENING,
    flapping=False,
    first_check=False,
    closed_at=NOON,
)


@pytest.mark.parametrize(
    ("options", "at", "known_at"),
    [
        ([], NOON + 7, None),
        (["--at", AT], NOON, None),
        (["--at", AT, "--known-at", "5"], NOON, 5),
        (["--known-at", "0"], NOON + 7, 0),
    ],
)
def test_show_reads_the_winner_now_or_then(
    telha: Run,
    stack: FakeStack,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    at: int,
    known_at: int | None,
) -> None:
    stack.clock.at = NOON + 7
    read = spy(monkeypatch, sources, "read_winner", version())

    told = telha("sources", "show", "s", *options).stdout

    assert read.args == [(stack.store, "acme", "s")]
    assert read.kwargs == [{"at": at, "known_at": known_at}]
    assert "VAT is [bold]19[/bold] %" in told
    assert str(NOON) in told


@pytest.mark.usefixtures("stack")
def test_show_reads_one_version_by_its_tx(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read = spy(monkeypatch, sources, "read_version", version())

    telha("sources", "show", "s", "--tx", AT)

    assert read.args[0][1:] == ("acme", "s", NOON)


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("option", ["--at", "--known-at"])
def test_a_version_and_an_instant_do_not_go_together(telha: Run, option: str) -> None:
    result = telha("sources", "show", "s", "--tx", "5", option, "5")

    assert result.exit_code == 2
    assert result.stderr.startswith("OPTIONS_DIFFER")


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({}, " version "),
        ({"ends": True, "text": None}, " end "),
        ({"override_only": True}, "steward's text"),
        ({"corrects_tx": NOON}, f"correction of {AT}"),
        ({"removal": Removal.WITHDRAWN}, "version, tombstoned (withdrawn)"),
    ],
)
def test_versions_are_listed_for_what_they_are(
    telha: Run, monkeypatch: pytest.MonkeyPatch, stated: dict[str, Any], told: str
) -> None:
    read = spy(monkeypatch, sources, "list_versions", [version(**stated)])

    result = telha("sources", "versions", "s", "--known-at", "9", "--limit", "3")

    assert told in result.stdout
    assert read.kwargs == [{"known_at": 9, "page": 3}]


@pytest.mark.usefixtures("stack")
def test_events_are_listed_with_what_moved(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read = spy(monkeypatch, emit, "list_events", [EVENT])

    told = telha("events", "ls", "--answer", "a-1").stdout

    assert read.kwargs == [{"answer_id": "a-1", "page": 100}]
    assert "0, 2" in told
    assert "material" in told
    assert AT in told


@pytest.mark.usefixtures("stack")
def test_events_as_json_are_the_payloads(telha_json: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, emit, "list_events", [EVENT])

    told: Any = telha_json("events", "ls")

    assert told == [EVENT.model_dump(mode="json", by_alias=True)]
