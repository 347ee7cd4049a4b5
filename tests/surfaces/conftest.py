"""The command line on a fake stack."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.surfaces.cli import shared
from app.surfaces.cli.main import app
from tests.surfaces.fake_stack import FakeStack

Run = Callable[..., Result]


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> FakeStack:
    """The stack that commands open; the environment says nothing of a tenant."""
    monkeypatch.delenv("TELHA_TENANT", raising=False)
    fake = FakeStack()
    monkeypatch.setattr(shared, "open_stack", lambda: nullcontext(fake))
    return fake


@pytest.fixture
def telha() -> Run:
    """Run a command line; what a command does not catch is raised in the test."""

    def run(*args: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False)

    return run


@pytest.fixture
def telha_json(telha: Run) -> Callable[..., Any]:
    """Run a command line with ``--json`` that must succeed; return what it printed."""

    def run(*args: str, stdin: str | bytes | None = None) -> Any:
        result = telha(*args, "--json", stdin=stdin)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run
