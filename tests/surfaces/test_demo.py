"""What the demo says at its end can be typed as it stands."""

import shutil
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.surfaces.cli.demo import _close


@pytest.mark.parametrize("there", [True, False])
def test_who_has_no_telha_on_the_path_is_told_how_to_get_it(
    there: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if there else None)
    answer = SimpleNamespace(answer_id="a1", status="stale")
    _close("demo", cast("Any", SimpleNamespace(answers=[answer])))
    told = capsys.readouterr().out.splitlines()
    assert ("activate" not in told[1]) is there
    assert told[1 if there else 2] == "  telha answers ls --tenant demo"
