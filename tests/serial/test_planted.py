"""The checker finds every bug that is planted, in so many histories at most."""

from collections.abc import Callable

import pytest

from tests.serial.conftest import Staged
from tests.serial.planted import BUGS
from tests.serial.programs import drawn

MOST = 200  # histories; chance decides, so this is far above what it takes


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found(
    staged: Staged,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    bug = BUGS[name]
    if bug.patch:
        bug.patch(monkeypatch)
    stage = staged(bug)
    for seed in range(MOST):
        if not stage.play(*drawn(bug.kind, seed), seed).serial:
            record_property("histories", seed + 1)
            return
    pytest.fail(f"not found in {MOST} histories of {bug.kind}")
