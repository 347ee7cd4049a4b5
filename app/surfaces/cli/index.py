"""``telha index``: what retrieval can find, and how far it is behind."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from app.core.instants import SECOND
from app.payloads.generate import Indexed, IndexStatus, Lag
from app.surfaces.cli.shared import AsJson, Tenant, console, example, group, session, warn
from app.surfaces.cli.text import facts, when, yes

app = group("See and make the index that questions are answered from.")


@app.command(epilog=example("telha index run --all"))
def run(
    anew: Annotated[
        bool, typer.Option("--all", help="Look at every source, whether it waits or not.")
    ] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Index what waits now; workers do it by themselves."""
    with session(tenant, as_json) as on:
        with _progress_bar() as progress:
            done = on.stack.maker().indexer(on.tenant).run(anew=anew, progress=progress)
        on.show(done, _ran)
        if done.busy and not as_json:
            warn("another run is at it")
        if done.failed is not None and not as_json:
            warn(f"found by words alone meanwhile: {done.failed}")


@app.command(epilog=example("telha index status"))
def status(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show how far the index is behind."""
    with session(tenant, as_json) as on:
        on.show(on.stack.maker().indexer(on.tenant).status(), _shown)


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Show sources done and time left on standard error, on a terminal only."""
    drawn = console(stderr=True)
    columns = (
        TextColumn("Indexing sources"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=drawn, disable=not drawn.is_terminal, transient=True) as bar:
        task = bar.add_task("sources", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _ran(done: Indexed) -> Table:
    return facts(
        [
            ("versions", done.versions),
            ("embedded", done.embedded),
            ("dropped", done.dropped),
            ("waiting", done.waiting),
            ("failed", done.failed),
        ]
    )


def _shown(index: IndexStatus) -> Table:
    return facts(
        [
            ("made by", index.made_by),
            ("configured", index.configured),
            ("to be made anew", yes(index.lag.stale)),
            ("chunks", index.chunks),
            ("sources waiting", index.lag.sources),
            ("versions waiting", index.lag.versions),
            ("oldest waits for", _age(index.lag)),
            ("failures", index.failures),
            ("rests until", when(index.paused_until)),
        ]
    )


def _age(lag: Lag) -> str | None:
    return None if lag.oldest is None else f"{lag.oldest / SECOND:.1f} s"
