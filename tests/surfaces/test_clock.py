"""``telha clock``: shown anywhere, moved only where the stack allows it."""

from typing import Any

import pytest

from app.flow.clock import SettableClock
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import Spy, spy

LATER = "2027-01-01T00:00:00Z"
LATER_US = 1_798_761_600_000_000


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, SettableClock, "set", LATER_US)


def settable(stack: FakeStack) -> None:
    stack.settings = stack.settings.model_copy(update={"settable_clock": True})


@pytest.mark.parametrize("words", [["set", LATER], ["reset"]])
def test_a_real_clock_is_not_moved(
    telha: Run, stack: FakeStack, moved: Spy, words: list[str]
) -> None:
    result = telha("clock", *words)

    assert not stack.settings.settable_clock
    assert result.exit_code == 2
    assert result.stderr.startswith("CLOCK_NOT_SETTABLE")
    assert moved.args == []


@pytest.mark.parametrize(("words", "to"), [(["set", LATER], LATER_US), (["reset"], None)])
def test_a_settable_clock_is_moved(
    telha: Run, stack: FakeStack, moved: Spy, words: list[str], to: int | None
) -> None:
    settable(stack)

    assert telha("clock", *words).exit_code == 0
    assert moved.args == [(to,)]


def test_an_instant_without_offset_moves_nothing(telha: Run, stack: FakeStack, moved: Spy) -> None:
    settable(stack)

    assert telha("clock", "set", "2027-01-01T00:00:00").exit_code == 2
    assert moved.args == []


def test_show_tells_both_times(telha: Run, telha_json: Run, stack: FakeStack) -> None:
    stack.clock.at += 1
    told: Any = telha_json("clock", "show")

    assert told == {"now": NOON + 1, "real": NOON, "settable": False}
    assert "2026-03-01T12:00:00.000001Z" in telha("clock", "show").stdout
