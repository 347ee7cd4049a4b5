"""docs/cli.md names every command with its own options, and no other."""

import re
from pathlib import Path

import pytest

from app.surfaces.cli.shared import EXIT_CODES
from tests.surfaces.commands import COMMANDS

DOCS = (Path(__file__).parents[2] / "docs/cli.md").read_text()
COMMON = {"--tenant", "--json", "--request-id", "--help"}
ROWS = {
    command: set(re.findall(r"--[a-z0-9-]+", options))
    for command, options in re.findall(
        r"^\| `(telha [^`]+?)(?: [A-Z_]+)*` \|([^|]*)\|", DOCS, re.MULTILINE
    )
}


def own_options(path: str) -> set[str]:
    named = {name for each in COMMANDS[path].params for name in each.opts if name[:2] == "--"}
    return named - COMMON


def test_every_command_is_documented_and_every_documented_one_exists() -> None:
    assert ROWS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("path", COMMANDS)
def test_the_options_of_a_command_are_documented(path: str) -> None:
    assert ROWS[path] == own_options(path)


def test_the_exit_codes_are_documented_as_the_help_tells_them() -> None:
    told = re.findall(r"(\d) ([a-z ]+)", EXIT_CODES)

    assert len(told) == 7
    assert re.findall(r"^\| (\d) \| ([a-z ]+?) \|", DOCS, re.MULTILINE) == told
