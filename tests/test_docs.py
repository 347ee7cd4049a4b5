"""The documents say what the code does: settings, the README's map, decisions, erasure surfaces."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from app.config import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def setting_names(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from setting_names(field.annotation, f"{prefix}{name}.")
        else:
            yield str(field.validation_alias or f"{prefix}{name}")


def documented(text: str) -> set[str]:
    """The first cell of each row of a table, where it is code."""
    return set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    assert documented((ROOT / "docs/settings.md").read_text()) == set(setting_names(Settings))


@pytest.mark.parametrize("name", sorted(set(setting_names(Settings))))
def test_a_documented_default_is_the_default(name: str) -> None:
    [told] = re.findall(
        rf"^\| `{re.escape(name)}` \| ([^|]+) \|",
        (ROOT / "docs/settings.md").read_text(),
        re.MULTILINE,
    )
    held: object = Settings.model_construct()
    for part in name.lower().removeprefix("telha_").split("."):
        held = getattr(held, part)
    if isinstance(held, bool | int):
        assert told.strip("` ") == str(held).lower()


def test_the_readme_map_names_what_exists() -> None:
    rows = re.findall(r"^\| (\w+) \| .* \| (`app/flow/.*?) \| (.*?) \|$", README, re.MULTILINE)
    assert len(rows) >= 10
    for step, modules, folders in rows:
        for path in re.findall(r"`([^`]+)`", modules + folders):
            assert (ROOT / path).exists(), f"{step}: {path}"


def test_the_readme_map_forgets_no_module_and_no_folder() -> None:
    helpers = {"requests", "steward", "clock", "__init__"}
    modules = {p.stem for p in (ROOT / "app/flow").glob("*.py")} - helpers
    assert {m for m in modules if f"`app/flow/{m}.py`" not in README} == set()
    shared = {"migrations", "migrate", "clock", "event", "request", "__pycache__"}
    folders = {p.name for p in (ROOT / "cypher").iterdir() if p.is_dir()} - shared
    assert {f for f in folders if f"`cypher/{f}`" not in README} == set()


def test_every_documented_path_exists() -> None:
    for path in re.findall(r"`((?:docs|app|cypher|tests)/[\w./-]+)`", README):
        assert (ROOT / path).exists(), path


def test_a_decision_has_a_number_of_its_own() -> None:
    numbers = [p.name[:4] for p in (ROOT / "docs/decisions").glob("0*.md")]
    assert sorted(numbers) == [f"{n:04}" for n in range(1, len(numbers) + 1)]
