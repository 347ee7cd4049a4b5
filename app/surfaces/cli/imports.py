"""``telha import``: published histories in bulk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from app.core.instants import instant
from app.flow import import_git, import_jsonl
from app.payloads.imports import GitImported, Imported
from app.surfaces.cli.inputs import readable
from app.surfaces.cli.shared import AsJson, Tenant, console, example, group, session, warn
from app.surfaces.cli.text import facts

app = group("Import version histories.")

_TOLD: Final = 20


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
                done = import_jsonl.import_jsonl(
                    on.stack.store, on.stack.clock, on.tenant, file, progress=progress
                )
        finally:
            on.wake(changed=True)  # documents before a refused row are stored
        on.show(done, _imported)


@app.command(epilog=example("telha import git ../handbook --glob 'policies/**/*.md'"))
def git(
    repo: Annotated[Path, typer.Argument(metavar="REPO", help="A git repository, bare or not.")],
    glob: Annotated[
        list[str],
        typer.Option("--glob", help="Which files: `*` stays in a folder, `**/` goes through all."),
    ],
    since: Annotated[
        str | None,
        typer.Option("--since", help="Only versions published since: RFC 3339 with offset, or µs."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Import the first-parent history of a repository; run it again to go on, or to catch up."""
    with session(tenant, as_json) as on:
        begin = 0 if since is None else instant(since, field="since")
        try:
            with _progress_bar() as progress:
                done = import_git.import_git(
                    on.stack.store,
                    on.stack.clock,
                    on.tenant,
                    repo,
                    globs=glob,
                    since=begin,
                    progress=progress,
                )
        finally:
            on.wake(changed=True)  # documents before a refused row are stored
        for each in done.skipped[:_TOLD]:
            warn(f"{each.path} at {each.commit[:12]} {each.why}")
        if len(done.skipped) > _TOLD:
            warn(f"and {len(done.skipped) - _TOLD} more versions are no text; --json lists all")
        on.show(done, _git_imported)


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
    return facts(_counts(done))


def _git_imported(done: GitImported) -> Table:
    return facts(
        [
            ("head", done.head),
            *_counts(done),
            ("before --since", done.before_since),
            ("skipped", len(done.skipped)),
        ]
    )


def _counts(done: Imported) -> list[tuple[str, int]]:
    return [
        ("sources", done.sources),
        ("rows", done.rows),
        ("stored", done.stored),
        ("observed", done.observed),
        ("duplicates", done.duplicates),
    ]
