"""The command ``telha``: its sub-commands, one module each."""

from typing import Final

import typer

from app.surfaces.cli import (
    answers,
    ask,
    audit,
    clock,
    demo,
    events,
    health,
    imports,
    index,
    ingest,
    jobs,
    local,
    migrate,
    sources,
    traces,
)
from app.surfaces.cli.shared import EXIT_CODES, Root, example

_GROUPS: Final = {
    "local": local.app,
    "import": imports.app,
    "ingest": ingest.app,
    "sources": sources.app,
    "index": index.app,
    "traces": traces.app,
    "answers": answers.app,
    "events": events.app,
    "audit": audit.app,
    "jobs": jobs.app,
    "clock": clock.app,
}

app = typer.Typer(
    name="telha",
    help="Answers pinned with the evidence they rest on.",
    epilog=EXIT_CODES,
    cls=Root,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
for name, group in _GROUPS.items():
    app.add_typer(group, name=name)
app.command("ask", epilog=example("telha ask 'What is VAT in Germany?' --source rates/de --save"))(
    ask.ask
)
app.command("demo", epilog=example("telha demo"))(demo.demo)
app.command("health", epilog=example("telha health worker --within 60"))(health.health)
app.command("migrate", epilog=example("telha migrate"))(migrate.migrate)
