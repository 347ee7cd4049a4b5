"""``telha import``: progress for people, the result for machines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import Conflict
from app.flow import import_git, import_jsonl
from app.payloads.imports import GitImported, Imported, Skipped
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
    done = spy(monkeypatch, import_jsonl, "import_jsonl", DONE)

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

    monkeypatch.setattr(import_jsonl, "import_jsonl", importing)

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

    monkeypatch.setattr(import_jsonl, "import_jsonl", importing)
    monkeypatch.setenv("FORCE_COLOR", "1")

    result = telha("import", "jsonl", file, "--json")

    assert "1/3" in result.stderr
    assert "1/3" not in result.stdout


def test_documents_before_a_refused_row_wake_the_workers(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    spy(
        monkeypatch,
        import_jsonl,
        "import_jsonl",
        Conflict("TX_CONFLICT", "other text", field="doc 'a'"),
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


# A repository

FROM_GIT = GitImported(
    **DONE.model_dump(),
    head="f" * 40,
    before_since=4,
    skipped=tuple(Skipped(path=f"{n}.md", commit="e" * 40, why="is binary") for n in range(22)),
)


def test_a_repository_is_imported_and_the_workers_hear_of_it(
    telha_json: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = spy(monkeypatch, import_git, "import_git", FROM_GIT)

    told: Any = telha_json("import", "git", "repo", "--glob", "a/*.md", "--glob", "b.md")

    assert told == FROM_GIT.model_dump(mode="json", by_alias=True)
    assert done.args == [(stack.store, stack.clock, "acme", Path("repo"))]
    assert (done.kwargs[0]["globs"], done.kwargs[0]["since"]) == (["a/*.md", "b.md"], 0)
    assert stack.wake.tenants == ["acme"]


@pytest.mark.usefixtures("stack")
def test_what_was_skipped_is_told_apart_from_the_result(
    telha: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = spy(monkeypatch, import_git, "import_git", FROM_GIT)

    result = telha("import", "git", "repo", "--glob", "*.md", "--since", "1970-01-01T00:00:01Z")

    assert done.kwargs[0]["since"] == 1_000_000
    assert "19.md at eeeeeeeeeeee is binary" in result.stderr
    assert "20.md" not in result.stderr
    assert "2 more versions" in result.stderr
    assert "is binary" not in result.stdout
    assert "f" * 40 in result.stdout


@pytest.mark.usefixtures("stack")
def test_a_since_without_offset_is_refused(telha: Run) -> None:
    result = telha("import", "git", "repo", "--glob", "*.md", "--since", "2026-01-01")

    assert result.exit_code == 2
    assert result.stderr.startswith("INSTANT_INVALID")


@pytest.mark.usefixtures("stack")
def test_a_repository_needs_a_glob(telha: Run) -> None:
    assert telha("import", "git", "repo").exit_code == 2


@pytest.mark.usefixtures("stack")
def test_what_is_no_repository_is_refused(telha: Run, tmp_path: Path) -> None:
    result = telha("import", "git", str(tmp_path), "--glob", "*.md")

    assert result.exit_code == 2
    assert result.stderr.startswith("REPO_UNREADABLE")
