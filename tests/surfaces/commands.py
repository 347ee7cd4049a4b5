"""All commands of ``telha``, found by walking the command tree."""

from collections.abc import Iterator
from typing import Any

import typer.main
from typer.core import TyperGroup

from app.surfaces.cli.main import app

ROOT = typer.main.get_command(app)


def walk(command: Any = ROOT, path: tuple[str, ...] = ("telha",)) -> Iterator[tuple[str, Any]]:
    """Yield each command that is no group, with the words that call it."""
    if not isinstance(command, TyperGroup):
        yield " ".join(path), command
        return
    for name, child in command.commands.items():
        yield from walk(child, (*path, name))


COMMANDS = dict(walk())
