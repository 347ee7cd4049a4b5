"""``telha import``: published histories in bulk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from app.flow import imports
from app.payloads.imports import Imported
from app.surfaces.cli.inputs import readable
from app.surfaces.cli.shared import AsJson, Tenant, console, example, group, session
from app.surfaces.cli.text import facts

app = group("Import version histories.")


@app.callback()
def _histories() -> None:
    """Import version histories."""


@app.command(epilog=example("telha import jsonl versions.jsonl"))
def jsonl(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="One version a line; see docs/cli.md.")
    ],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Import a JSONL file of versions; after an interruption, run it again to go on."""
    with session(tenant, as_json) as on:
        readable(file)
        try:
            with _progress_bar() as progress:
                done = imports.import_jsonl(
                    on.stack.store, on.stack.clock, on.tenant, file, progress=progress
                )
        finally:
            on.wake(changed=True)  # documents before a refused row are stored
        on.show(done, _imported)


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Show rows done and time left on standard error, on a terminal only."""
    drawn = console(stderr=True)
    columns = (
        TextColumn("Importing rows"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=drawn, disable=not drawn.is_terminal, transient=True) as bar:
        task = bar.add_task("rows", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _imported(done: Imported) -> Table:
    return facts(
        [
            ("sources", done.sources),
            ("rows", done.rows),
            ("stored", done.stored),
            ("observed", done.observed),
            ("duplicates", done.duplicates),
        ]
    )
