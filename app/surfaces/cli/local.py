"""``telha local``: the embedded stack on this machine."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from app.local import stack
from app.local.home import default_home, home_at
from app.local.report import OnConsole
from app.local.service import ALL_SERVICES, Endpoints, ServiceName
from app.local.state import Memory
from app.surfaces.cli.shared import (
    AsJson,
    console,
    example,
    group,
    print_json,
    read_settings,
    reported,
)
from app.surfaces.cli.text import plain

_FOLLOW_PAUSE: Final = 0.3

app = group("Run Neo4j, Valkey, worker and beat on this machine.")

HomeFolder = Annotated[
    Path | None, typer.Option("--home", help="The stack's folder; else TELHA_HOME, else .telha.")
]


@app.command(epilog=example("telha local up --heap-max 2g"))
def up(
    home: HomeFolder = None,
    heap_max: Annotated[
        str | None, typer.Option("--heap-max", help="Neo4j's largest heap; remembered.")
    ] = None,
    pagecache: Annotated[
        str | None, typer.Option("--pagecache", help="Neo4j's page cache; remembered.")
    ] = None,
    neo4j_version: Annotated[
        str | None, typer.Option("--neo4j-version", help="5.26.30 or 2026.08.1; remembered.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Start what does not run yet. The first time, Neo4j's jars (140 MB) are fetched."""
    from app.wiring import start_local  # noqa: PLC0415 — keeps the other commands quick

    with reported(as_json):
        place = _place(home)
        memory = _memory(place, heap_max, pagecache)
        began = time.monotonic()
        endpoints = start_local(
            place, memory=memory, neo4j_version=neo4j_version, report=OnConsole()
        )
        if as_json:
            print_json(_whole(place, endpoints))
            return
        _show(place)
        console().print(f"Up after {time.monotonic() - began:.1f} s.", style="dim")


@app.command(epilog=example("telha local status --json"))
def status(home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Show what runs, and where it answers."""
    with reported(as_json):
        place = _place(home)
        if as_json:
            print_json(_whole(place, stack.running(place)))
        else:
            _show(place)


@app.command(epilog=example("telha local logs worker --follow"))
def logs(
    service: Annotated[ServiceName | None, typer.Argument(help="One alone; else all.")] = None,
    home: HomeFolder = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="How many of each.")] = 20,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the last lines that the services wrote; with --json one object a line."""
    with reported(as_json):
        names = [service] if service else list(ALL_SERVICES)
        for name, line in _log_lines(_place(home), names, lines, follow=follow):
            if as_json:
                typer.echo(json.dumps({"service": name, "line": line}, ensure_ascii=False))
            else:
                shown = Text(f"{name:<7}", style="bold").append(plain(line), style="not bold")
                console().print(shown, soft_wrap=True)


@app.command(epilog=example("telha local down"))
def down(home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Stop what `up` started, and nothing else. Data, ports and passwords stay."""
    with reported(as_json):
        place = _place(home)
        stopped = stack.down(place, report=OnConsole())
        if as_json:
            print_json({"home": str(place), "stopped": stopped})
        else:
            typer.echo(f"Stopped {', '.join(stopped)}." if stopped else "Nothing was running.")


def _place(home: Path | None) -> Path:
    """The folder named on the command line, else in the settings, else beside the project."""
    return (home or read_settings().home or default_home()).resolve()


def _memory(place: Path, heap_max: str | None, pagecache: str | None) -> Memory | None:
    """What was asked for, over what the stack remembers; None where nothing was asked."""
    if heap_max is None and pagecache is None:
        return None
    remembered = stack.memory(place)
    return Memory(
        heap_initial=remembered.heap_initial,
        heap_max=heap_max or remembered.heap_max,
        pagecache=pagecache or remembered.pagecache,
    )


def _whole(place: Path, endpoints: Endpoints | None) -> dict[str, object]:
    """The stack for machines; passwords stay in their file."""
    return {
        "home": str(place),
        "neo4jUri": endpoints.neo4j_uri if endpoints else None,
        "neo4jUser": endpoints.neo4j_user if endpoints else None,
        "neo4jVersion": stack.neo4j_version(place),
        "secretsFile": str(home_at(place).secrets),
        "services": [
            {
                "name": one.name,
                "running": one.running,
                "pid": one.pid,
                "address": one.address,
                "log": str(one.log),
                "trouble": one.trouble,
            }
            for one in stack.status(place)
        ],
    }


def _show(place: Path) -> None:
    table = Table("service", "state", "pid", "answers at", box=None, header_style="bold")
    for one in stack.status(place):
        state = Text("running", style="green") if one.running else Text("stopped", style="dim")
        if one.trouble:
            state = Text(one.trouble, style="bold red")
        table.add_row(one.name, state, str(one.pid or ""), one.address or "")
    console().print(table)
    if endpoints := stack.running(place):
        console().print(
            f"Neo4j {stack.neo4j_version(place)} at {endpoints.neo4j_uri},"
            f" user {endpoints.neo4j_user}, password in {home_at(place).secrets}",
            style="dim",
            soft_wrap=True,
        )


def _log_lines(
    place: Path, names: Sequence[ServiceName], lines: int, *, follow: bool
) -> Iterator[tuple[ServiceName, str]]:
    """The last ``lines`` of each log, then, if told to follow, what is added to any."""
    read: dict[ServiceName, int] = {}
    for name in names:
        log = stack.log_path(place, name)
        content = log.read_bytes() if log.exists() else b""
        read[name] = len(content)
        last = content.decode("utf-8", "replace").splitlines()
        yield from ((name, line) for line in last[max(0, len(last) - lines) :])
    while follow:
        time.sleep(_FOLLOW_PAUSE)
        for name in names:
            added, read[name] = _added(stack.log_path(place, name), read[name])
            yield from ((name, line) for line in added)


def _added(log: Path, start: int) -> tuple[list[str], int]:
    """The whole lines after the byte ``start``, and where the next begin."""
    if not log.exists():
        return [], 0
    with log.open("rb") as file:
        file.seek(start if log.stat().st_size >= start else 0)
        begun = file.tell()
        whole = file.read().rpartition(b"\n")[0]
    return whole.decode("utf-8", "replace").splitlines(), begun + (len(whole) + 1 if whole else 0)
