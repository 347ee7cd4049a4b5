"""``telha events``: what left for the owners of answers."""

from collections.abc import Sequence
from typing import Annotated

import typer

from app.core.values import key
from app.flow import emit
from app.payloads.jobs import Event
from app.surfaces.cli.shared import AsJson, Tenant, example, group, session
from app.surfaces.cli.text import Listing, when, yes

app = group("See the events that told owners of a change.")


@app.callback()
def _told() -> None:
    """See the events that told owners of a change."""


@app.command(epilog=example("telha events ls --answer 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def ls(
    answer: Annotated[str | None, typer.Option("--answer", help="Of this answer alone.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many at most.")] = 100,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List events in the order they left."""
    with session(tenant, as_json) as on:
        answer_id = None if answer is None else key(answer, field="answerId")
        found = emit.list_events(on.stack.store, on.tenant, answer_id=answer_id, page=limit)
        on.show(found, _listed)


def _listed(found: Sequence[Event]) -> Listing:
    columns = ("event", "answer", "no.", "from", "to", "claims", "severity", "flapping", "left")
    return Listing(
        columns,
        [
            (
                event.event_id,
                event.answer_id,
                event.number,
                event.from_status.value,
                event.to_status.value,
                ", ".join(map(str, event.changed_claims)) or None,
                event.severity.value if event.severity else None,
                yes(event.flapping),
                when(event.closed_at),
            )
            for event in found
        ],
    )
