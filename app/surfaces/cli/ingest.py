"""``telha ingest``: versions, ends, withdrawals, overrides and clarifications of one source."""

from typing import Annotated

import typer
from rich.table import Table

from app.core.chain import Outcome
from app.core.rules import ClarificationPhase
from app.flow import clarify as clarify_step
from app.flow import ingest, override, tombstone
from app.payloads.ingest import (
    CascadeIn,
    Clarified,
    ClarifyIn,
    EndIn,
    Ingested,
    Overridden,
    OverrideIn,
    ReleaseIn,
    Removed,
    VersionIn,
    WithdrawIn,
)
from app.surfaces.cli.inputs import File, Text, required_text, text_of
from app.surfaces.cli.shared import (
    Actor,
    AsJson,
    Reason,
    RequestId,
    Tenant,
    example,
    group,
    session,
)
from app.surfaces.cli.text import facts, when, window, yes

app = group("Write to the memory that versions: one source at a time.")

SourceId = Annotated[str, typer.Argument(metavar="SOURCE", help="The source's id.")]
Tx = Annotated[
    str | None, typer.Option("--tx", help="The version's name in its chain: RFC 3339 or µs.")
]
ValidFrom = Annotated[str | None, typer.Option("--valid-from", help="Holds from: RFC 3339 or µs.")]
ValidTo = Annotated[
    str | None, typer.Option("--valid-to", help="Holds until, not included: RFC 3339 or µs.")
]
SourceTs = Annotated[
    str | None, typer.Option("--source-ts", help="When the source says that it was written.")
]


@app.command(
    epilog=example(
        "telha ingest version rates/de --text 'VAT is 19 %' --valid-from 2026-01-01T00:00:00Z"
    )
)
def version(  # noqa: PLR0913, PLR0917 — a parameter for each option
    source: SourceId,
    text: Text = None,
    file: File = None,
    tx: Tx = None,
    valid_from: ValidFrom = None,
    valid_to: ValidTo = None,
    source_ts: SourceTs = None,
    corrects: Annotated[
        str | None, typer.Option("--corrects", help="Correct the version at this tx.")
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--origin", help="Where it comes from, such as a commit.")
    ] = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Store a version or a correction, and tell whether it wins now."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            VersionIn,
            source_id=source,
            text=required_text(text, file),
            tx=tx,
            valid_from=valid_from,
            valid_to=valid_to,
            source_ts=source_ts,
            corrects=corrects,
            origin=origin,
            request_id=request_id,
        )
        done = ingest.ingest_version(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.outcome is Outcome.STORED)
        on.show(done, _ingested)


@app.command(epilog=example("telha ingest end rates/de --valid-from 2027-01-01T00:00:00Z"))
def end(
    source: SourceId,
    tx: Tx = None,
    valid_from: ValidFrom = None,
    source_ts: SourceTs = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Let a source say nothing any more, as when its file was deleted."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            EndIn,
            source_id=source,
            tx=tx,
            valid_from=valid_from,
            source_ts=source_ts,
            request_id=request_id,
        )
        done = ingest.ingest_end(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.outcome is Outcome.STORED)
        on.show(done, _ingested)


@app.command(epilog=example("telha ingest withdraw rates/de --tx 2026-01-01T00:00:00Z"))
def withdraw(
    source: SourceId,
    tx: Annotated[str, typer.Option("--tx", help="The version to tombstone: RFC 3339 or µs.")],
    reason: Reason = None,
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Tombstone one version; the next candidate wins."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            WithdrawIn,
            source_id=source,
            tx=tx,
            reason=reason,
            actor=actor,
            request_id=request_id,
        )
        done = tombstone.withdraw_version(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.tombstoned > 0)
        on.show(done, _removed)


@app.command(epilog=example("telha ingest cascade rates/de --reason 'not ours to keep'"))
def cascade(
    source: SourceId,
    reason: Reason = None,
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Tombstone all versions of a source, for good."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            CascadeIn, source_id=source, reason=reason, actor=actor, request_id=request_id
        )
        done = tombstone.cascade_source(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.tombstoned > 0)
        on.show(done, _removed)


@app.command(
    "override", epilog=example("telha ingest override rates/de --bind 2025-01-01T00:00:00Z")
)
def set_override(  # noqa: PLR0913, PLR0917 — a parameter for each option
    source: SourceId,
    bind: Annotated[
        str | None, typer.Option("--bind", help="Let the version at this tx win.")
    ] = None,
    text: Text = None,
    file: File = None,
    tx: Tx = None,
    valid_from: ValidFrom = None,
    valid_to: ValidTo = None,
    reason: Reason = None,
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Decide as a steward what wins: a version that is there, or a text of your own."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            OverrideIn,
            source_id=source,
            bind=bind,
            text=text_of(text, file),
            tx=tx,
            valid_from=valid_from,
            valid_to=valid_to,
            reason=reason,
            actor=actor,
            request_id=request_id,
        )
        done = override.set_override(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.changed)
        on.show(done, _overridden)


@app.command(epilog=example("telha ingest release 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def release(
    override_id: Annotated[str, typer.Argument(metavar="OVERRIDE_ID", help="The override's id.")],
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Release an override; what wins without it wins again."""
    with session(tenant, as_json) as on:
        payload = on.parse(ReleaseIn, override_id=override_id, actor=actor, request_id=request_id)
        done = override.release_override(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.changed)
        on.show(done, _overridden)


@app.command(
    epilog=example(
        "telha ingest clarify q7 --state open --source rates/de --question 'Which year?'"
    )
)
def clarify(  # noqa: PLR0913, PLR0917 — a parameter for each option
    clarification_id: Annotated[
        str, typer.Argument(metavar="ID", help="The clarification's id; a new one is opened.")
    ],
    state: Annotated[ClarificationPhase, typer.Option("--state", help="Where it stands now.")],
    source: Annotated[
        str | None, typer.Option("--source", help="The source that a new one is about.")
    ] = None,
    question: Annotated[str | None, typer.Option("--question", help="What a new one asks.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="The outcome of a binding.")] = None,
    bind: Annotated[
        str | None, typer.Option("--bind", help="The version that a binding chooses, by its tx.")
    ] = None,
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Open a question about a source, or bind, contest, withdraw or reopen it."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            ClarifyIn,
            clarification_id=clarification_id,
            state=state,
            source_id=source,
            question=question,
            text=text,
            bind=bind,
            actor=actor,
            request_id=request_id,
        )
        done = clarify_step.clarify(on.stack.store, on.stack.clock, payload)
        on.wake(changed=done.changed)
        on.show(done, _clarified)


def _ingested(done: Ingested) -> Table:
    rows = [
        ("source", done.source_id),
        ("outcome", done.outcome.value),
        ("tx", when(done.tx)),
        ("holds from", window(done.valid_from, done.valid_to)),
        ("wins now", yes(done.wins_now) if done.why_not is None else f"no: {done.why_not}"),
        ("winner", when(done.winning_tx)),
    ]
    if done.removal is not None:
        rows.append(("tombstoned", done.removal.value))
    if done.note is not None:
        rows.append(("note", done.note))
    return facts(rows)


def _removed(done: Removed) -> Table:
    return facts([("source", done.source_id), ("tombstoned", f"{done.tombstoned} versions")])


def _overridden(done: Overridden) -> Table:
    return facts(
        [
            ("override", done.override_id),
            ("source", done.source_id),
            ("tx", when(done.tx)),
            ("lets win", when(done.bound_tx)),
            ("holds from", window(done.valid_from, done.valid_to)),
            ("released", yes(done.released)),
            ("changed", yes(done.changed)),
        ]
    )


def _clarified(done: Clarified) -> Table:
    return facts(
        [
            ("clarification", done.clarification_id),
            ("source", done.source_id),
            ("state", done.state.value),
            ("changed", yes(done.changed)),
        ]
    )
