"""What workers of an embedded stack are told: its servers; settings unless others are stated."""

from pathlib import Path
from typing import Final

import pytest

from app.local.celery_process import CeleryProcess
from app.local.home import Home
from app.local.report import Quiet
from app.local.service import Endpoints

WHERE: Final = Endpoints("bolt://127.0.0.1:1", "neo4j", "secret", "redis://127.0.0.1:2/0")
DEFAULTS: Final = {"TELHA_ANSWERS__ENABLED": "true", "TELHA_MODELS__EMBEDDING": "local"}


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CeleryProcess:
    for name in DEFAULTS:
        monkeypatch.delenv(name, raising=False)
    return CeleryProcess(Home(tmp_path / "home"), WHERE, "worker")


def told(worker: CeleryProcess) -> dict[str, str | None]:
    env = worker.prepare(Quiet()).env
    return {name: env.get(name) for name in DEFAULTS}


def test_a_worker_has_the_models_and_answers_of_an_embedded_stack(worker: CeleryProcess) -> None:
    assert told(worker) == DEFAULTS
    assert worker.prepare(Quiet()).env["TELHA_SETTABLE_CLOCK"] == "true"


def test_what_the_environment_states_holds(
    worker: CeleryProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = worker.fingerprint
    for name, value in (("TELHA_ANSWERS__ENABLED", "false"), ("TELHA_MODELS__EMBEDDING", "none")):
        monkeypatch.setenv(name, value)
    assert told(worker) == {
        "TELHA_ANSWERS__ENABLED": "false",
        "TELHA_MODELS__EMBEDDING": "none",
    }
    assert worker.fingerprint != before


def test_what_the_file_states_is_left_to_it(worker: CeleryProcess, tmp_path: Path) -> None:
    (tmp_path / "telha.toml").write_text('tenant = "a"\n[models]\nembedding = "openai"\n')
    assert told(worker) == DEFAULTS | {"TELHA_MODELS__EMBEDDING": None}
