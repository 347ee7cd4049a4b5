"""``telha migrate`` tells what it applied."""

import json

import pytest

from app.core.errors import Invalid
from app.surfaces.cli import shared
from tests.surfaces.conftest import Run
from tests.surfaces.spy import spy


def test_what_was_applied_is_told(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, shared, "migrate_database", ["V0001__a.cypher", "V0002__b.cypher"])

    assert json.loads(telha("migrate", "--json").stdout) == {
        "applied": ["V0001__a.cypher", "V0002__b.cypher"]
    }


def test_nothing_to_apply_is_told(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, shared, "migrate_database", [])

    assert "nothing" in telha("migrate").stdout


def test_a_refusal_is_told(telha: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy(monkeypatch, shared, "migrate_database", Invalid("MIGRATION_CHANGED", "V0001 is another"))

    result = telha("migrate")

    assert result.exit_code == 2
    assert result.stderr == "MIGRATION_CHANGED: V0001 is another\n"
