"""Every command explains itself."""

import shlex

import pytest

from tests.surfaces.commands import COMMANDS
from tests.surfaces.conftest import Run

EVERY = pytest.mark.parametrize("path", COMMANDS)


def test_the_walk_finds_the_commands() -> None:
    assert {"telha ingest version", "telha answers show", "telha migrate"} <= COMMANDS.keys()


@EVERY
def test_help_ends_with_an_example(telha: Run, path: str) -> None:
    result = telha(*path.split()[1:], "--help")

    assert result.exit_code == 0
    assert f"Example: {path}" in result.stdout


@EVERY
def test_the_example_is_a_command_line_that_parses(path: str) -> None:
    command = COMMANDS[path]
    words = shlex.split(command.epilog.removeprefix(f"Example: {path}"))

    with command.make_context(path, words) as context:
        assert context.params is not None


@EVERY
def test_every_option_and_argument_is_explained(path: str) -> None:
    silent = [each.name for each in COMMANDS[path].params if not getattr(each, "help", None)]

    assert silent == []


@EVERY
def test_every_command_speaks_json(path: str) -> None:
    assert "--json" in {name for each in COMMANDS[path].params for name in each.opts}


def test_the_exit_codes_are_in_the_help(telha: Run) -> None:
    told = " ".join(telha("--help").stdout.split())

    assert (
        "0 ok, 1 unexpected, 2 usage or invalid input, 3 not found, 4 conflict, 5 limit reached,"
        " 6 unavailable" in told
    )


def test_shell_completion_is_on(telha: Run) -> None:
    assert "--install-completion" in telha("--help").stdout
