"""``telha import jsonl``: progress for people, the result for machines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import Conflict
from app.flow import imports
from app.payloads.imports import Imported
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import spy

DONE = Imported(sources=1, rows=3, stored=2, observed=1, duplicates=0)


@pytest.fixture
def file(tmp_path: Path) -> str:
    made = tmp_path / "versions.jsonl"
    made.write_text("{}\n")
    return str(made)


def test_a_file_is_imported_and_the_workers_hear_of_it(
    telha_json: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    done = spy(monkeypatch, imports, "import_jsonl", DONE)

    told: Any = telha_json("import", "jsonl", file)

    assert told == DONE.model_dump(mode="json", by_alias=True)
    assert done.args == [(stack.store, stack.clock, "acme", Path(file))]
    assert stack.wake.tenants == ["acme"]


@pytest.mark.usefixtures("stack")
def test_progress_stays_off_where_nobody_looks(
    telha: Run, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    def importing(*_: Any, progress: Callable[[int, int], None]) -> Imported:
        progress(1, 3)
        return DONE

    monkeypatch.setattr(imports, "import_jsonl", importing)

    result = telha("import", "jsonl", file)

    assert result.exit_code == 0
    assert result.stderr == ""
    assert "Importing" not in result.stdout


@pytest.mark.usefixtures("stack")
def test_progress_is_told_on_a_terminal_apart_from_the_result(
    telha: Run, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    def importing(*_: Any, progress: Callable[[int, int], None]) -> Imported:
        progress(1, 3)
        return DONE

    monkeypatch.setattr(imports, "import_jsonl", importing)
    monkeypatch.setenv("FORCE_COLOR", "1")

    result = telha("import", "jsonl", file, "--json")

    assert "1/3" in result.stderr
    assert "1/3" not in result.stdout


def test_documents_before_a_refused_row_wake_the_workers(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    spy(
        monkeypatch, imports, "import_jsonl", Conflict("TX_CONFLICT", "other text", field="doc 'a'")
    )

    result = telha("import", "jsonl", file)

    assert result.exit_code == 4
    assert "doc 'a'" in result.stderr
    assert stack.wake.tenants == ["acme"]


def test_a_file_that_is_not_there_is_refused_and_nobody_woken(telha: Run, stack: FakeStack) -> None:
    result = telha("import", "jsonl", "nowhere.jsonl")

    assert result.exit_code == 2
    assert result.stderr.startswith("FILE_UNREADABLE")
    assert stack.wake.tenants == []


@pytest.mark.usefixtures("stack")
def test_a_folder_is_no_file(telha: Run, tmp_path: Path) -> None:
    assert telha("import", "jsonl", str(tmp_path)).exit_code == 2
