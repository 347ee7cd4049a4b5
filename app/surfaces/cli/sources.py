"""``telha sources``: what a source says, said, and was known to say."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from app.core.errors import Invalid
from app.core.instants import instant
from app.core.values import key
from app.flow import sources
from app.payloads.sources import SourceVersionView
from app.surfaces.cli.inputs import coordinate
from app.surfaces.cli.shared import AsJson, Session, Tenant, example, group, session
from app.surfaces.cli.text import Listing, facts, plain, when, window

app = group("See what a source says, and its versions.")

SourceId = Annotated[str, typer.Argument(metavar="SOURCE", help="The source's id.")]
At = Annotated[
    str | None, typer.Option("--at", help="What is valid then: RFC 3339 or µs; else now.")
]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", help="What was recorded by then: RFC 3339 or µs.")
]


@app.command(epilog=example("telha sources show rates/de --at 2026-01-01T00:00:00Z"))
def show(
    source: SourceId,
    tx: Annotated[
        str | None, typer.Option("--tx", help="One version by its tx, whether it wins or not.")
    ] = None,
    at: At = None,
    known_at: KnownAt = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show the version that wins, with its text, to cite it by its tx."""
    with session(tenant, as_json) as on:
        named = key(source, field="sourceId")
        stated = coordinate(tx, "tx")
        if stated is None:
            found = _winner(on, named, at, known_at)
        elif at is None and known_at is None:
            found = sources.read_version(on.stack.store, on.tenant, named, stated)
        else:
            raise Invalid("OPTIONS_DIFFER", "--tx names a version at any time", field="tx")
        on.show(found, _shown)


@app.command(epilog=example("telha sources versions rates/de --limit 10"))
def versions(
    source: SourceId,
    known_at: KnownAt = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many at most.")] = 100,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List the versions of a source, the newest first."""
    with session(tenant, as_json) as on:
        found = sources.list_versions(
            on.stack.store,
            on.tenant,
            key(source, field="sourceId"),
            known_at=coordinate(known_at, "knownAt"),
            page=limit,
        )
        on.show(found, _listed)


def _winner(on: Session, source: str, at: str | None, known_at: str | None) -> SourceVersionView:
    return sources.read_winner(
        on.stack.store,
        on.tenant,
        source,
        at=on.stack.clock.now() if at is None else instant(at, field="at"),
        known_at=coordinate(known_at, "knownAt"),
    )


def _shown(version: SourceVersionView) -> Group:
    about = facts(
        [
            ("source", version.source_id),
            ("tx", f"{when(version.tx)} ({version.tx})"),
            ("holds from", window(version.valid_from, version.valid_to)),
            ("recorded", when(version.recorded_at)),
            ("origin", version.origin),
            ("what", _kind(version)),
        ]
    )
    return Group(about, Text(f"\n{plain(version.text or '')}".rstrip("\n")))


def _listed(found: Sequence[SourceVersionView]) -> Listing:
    columns = ("tx", "holds from", "holds until", "recorded", "what", "origin")
    return Listing(
        columns,
        [
            (
                when(version.tx),
                when(version.valid_from),
                when(version.valid_to),
                when(version.recorded_at),
                _kind(version),
                version.origin,
            )
            for version in found
        ],
    )


def _kind(version: SourceVersionView) -> str:
    """Say in words what a version is, and whether it was removed."""
    kind = "version"
    if version.ends:
        kind = "end"
    elif version.override_only:
        kind = "steward's text"
    elif version.corrects_tx is not None:
        kind = f"correction of {when(version.corrects_tx)}"
    return kind if version.removal is None else f"{kind}, tombstoned ({version.removal.value})"
