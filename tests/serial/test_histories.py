"""Concurrent writers: each history of them is explained by some serial order of the model.

``TELHA_HISTORIES`` says how many in a soak run.
"""

import os

import pytest

from tests.serial.conftest import Staged
from tests.serial.programs import KINDS, drawn

EACH = 15  # of seven kinds
SOAK = int(os.environ.get("TELHA_HISTORIES", "2000"))


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", KINDS)
def test_a_history_has_a_serial_order(staged: Staged, kind: str) -> None:
    for seed in range(EACH):
        history = staged().play(*drawn(kind, seed), seed)
        assert history.serial, f"{kind} {seed}\n{history}"


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("kind", KINDS)
def test_many_histories_have_a_serial_order(staged: Staged, kind: str) -> None:
    for seed in range(1000, 1000 + SOAK // len(KINDS)):
        history = staged().play(*drawn(kind, seed), seed)
        assert history.serial, f"{kind} {seed}\n{history}"
