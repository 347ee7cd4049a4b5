"""``telha traces``: traces of generations that were made elsewhere."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from app.core.errors import Invalid
from app.flow import trace
from app.payloads.base import parse
from app.payloads.trace import TraceAdded, TraceIn
from app.surfaces.cli.inputs import json_object
from app.surfaces.cli.shared import (
    AsJson,
    RequestId,
    Tenant,
    example,
    group,
    print_json,
    session,
    warn,
)
from app.surfaces.cli.text import facts, yes

app = group("Bring in what was asked, answered and cited.")

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


@app.command(epilog=example("telha traces add trace.json"))
def add(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", allow_dash=True, help="JSON; '-' is standard input.")
    ],
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Store a trace; every coordinate and quote is checked against the stored texts."""
    with session(tenant, as_json) as on:
        body = json_object(file)
        _fill(body, ("tenant", "tenant"), tenant, default=on.tenant)
        _fill(body, ("requestId", "request_id"), request_id)
        done = trace.add_trace(on.stack.store, on.stack.clock, parse(TraceIn, body))
        on.show(done, _added)
        if not as_json:
            for warning in done.warnings:
                warn(warning)


@app.command(epilog=example("telha traces schema"))
def schema(as_json: AsJson = False) -> None:  # noqa: ARG001 — it is JSON either way
    """Print the JSON Schema of a trace."""
    print_json(trace_schema())


def trace_schema() -> dict[str, Any]:
    """Return the JSON Schema of a trace as it is published in docs/schemas/trace.json."""
    return {"$schema": _DIALECT, **TraceIn.model_json_schema()}


def _fill(
    body: dict[str, Any], names: tuple[str, str], stated: str | None, *, default: str | None = None
) -> None:
    """Put what an option states into a trace that does not say it; refuse two that differ."""
    said = next((body[name] for name in names if body.get(name) is not None), None)
    if said is None:
        body.pop(names[1], None)
        body[names[0]] = default if stated is None else stated
    elif stated is not None and said != stated:
        raise Invalid(
            "OPTION_DIFFERS", "the file says something else than the option", field=names[0]
        )


def _added(done: TraceAdded) -> Table:
    return facts(
        [
            ("trace", done.trace_id),
            ("kind", done.kind),
            ("claims", done.claims),
            ("new", yes(done.created)),
        ]
    )
