"""``telha answers``: save, list, show, check and delete answers."""

from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table

from app.core.errors import NotFound
from app.core.instants import instant
from app.core.states import Status
from app.flow import answers, save
from app.flow import diff as differing
from app.flow import refresh as refreshing
from app.payloads.answers import AnswerRef, Checked, Deleted, ListIn, Saved, SaveIn
from app.payloads.refresh import Refreshing, RefreshState
from app.surfaces.cli.answer_view import drawn_answer, drawn_page, drawn_refresh
from app.surfaces.cli.diff_view import drawn_diff
from app.surfaces.cli.shared import (
    Actor,
    AsJson,
    At,
    KnownAt,
    RequestId,
    Tenant,
    example,
    group,
    session,
    warn,
)
from app.surfaces.cli.text import facts, yes

app = group("Save answers that somebody relies on, and see how they stand.")

AnswerId = Annotated[str, typer.Argument(metavar="ID", help="The answer's id.")]


@app.command(
    "save", epilog=example("telha answers save trace-7 --title 'VAT in Germany' --person ana")
)
def save_answer(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE_ID", help="The trace to pin.")],
    title: Annotated[str | None, typer.Option("--title", help="What to call it.")] = None,
    person: Annotated[str | None, typer.Option("--person", help="Who relies on it.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Which API key relies on it.")] = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Save the answer of a generation trace and watch what it rests on."""
    with session(tenant, as_json) as on:
        payload = on.parse(
            SaveIn,
            trace_id=trace_id,
            title=title,
            created_by_person=person,
            created_by_key=key,
            request_id=request_id,
        )
        settings = on.stack.settings.answers
        done = save.save_answer(on.stack.store, on.stack.clock, payload, settings=settings)
        on.wake(changed=done.created)
        on.show(done, _saved)


@app.command(epilog=example("telha answers ls --status stale"))
def ls(
    status: Annotated[Status | None, typer.Option("--status", help="Only these.")] = None,
    at: At = None,
    known_at: KnownAt = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many at most.")] = 100,
    after: Annotated[str | None, typer.Option("--after", help="Go on after this id.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List answers by id, as they stand or as they stood."""
    with session(tenant, as_json) as on:
        asked = on.parse(ListIn, status=status, at=at, known_at=known_at, page=limit, after=after)
        page = answers.list_answers(on.stack.store, asked)
        on.show(page, drawn_page)
        if page.after is not None and not as_json:
            warn(f"there may be more: --after {page.after}")


@app.command(epilog=example("telha answers show 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def show(
    answer_id: AnswerId,
    at: At = None,
    known_at: KnownAt = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show an answer: each claim's state with its causes, and the history."""
    with session(tenant, as_json) as on:
        ref = on.parse(AnswerRef, answer_id=answer_id)
        stood = _earlier(at, known_at)
        try:
            view = answers.show_answer(on.stack.store, on.tenant, ref.answer_id, at=stood)
        except NotFound:
            making = refreshing.read_refresh(on.stack.store, on.tenant, ref.answer_id)
            if making is None or making.state is RefreshState.DONE:
                raise
            on.show(making, drawn_refresh)
            return
        on.show(view, lambda shown: drawn_answer(shown, stood=stood))


@app.command(epilog=example("telha answers check 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def check(answer_id: AnswerId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Re-check an answer now; no generator is called."""
    with session(tenant, as_json) as on:
        ref = on.parse(AnswerRef, answer_id=answer_id)
        done = on.stack.rechecker().check(on.tenant, [ref.answer_id])
        if not done:
            raise NotFound(
                "ANSWER_NOT_FOUND",
                "no such answer in this tenant, or it is deleted or superseded",
                field="answerId",
            )
        on.wake(changed=done[0].changed)
        on.show(done[0], _checked)


@app.command(epilog=example("telha answers refresh 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def refresh(
    answer_id: AnswerId,
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Ask an answer's question again; a worker makes the new answer, which supersedes this one."""
    with session(tenant, as_json) as on:
        ref = on.parse(AnswerRef, answer_id=answer_id, actor=actor, request_id=request_id)
        done = refreshing.ask_refresh(
            on.stack.store, on.stack.clock, ref, configured=on.stack.generates
        )
        on.stack.wake.jobs(on.tenant)
        on.show(done, _refreshing)


@app.command(epilog=example("telha answers diff OLD NEW"))
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The answer that was superseded.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The one that came of it.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Compare two answers of one chain: text, claims and evidence."""
    with session(tenant, as_json) as on:
        before, after = (on.parse(AnswerRef, answer_id=each).answer_id for each in (old, new))
        on.show(differing.diff_answers(on.stack.store, on.tenant, before, after), drawn_diff)


@app.command(epilog=example("telha answers rm 3b0c7a52-6a55-5a0e-9f54-0d4c2f0e8a11"))
def rm(
    answer_id: AnswerId,
    actor: Actor = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Delete an answer; its history and its audit trail stay."""
    with session(tenant, as_json) as on:
        ref = on.parse(AnswerRef, answer_id=answer_id, actor=actor, request_id=request_id)
        on.show(save.delete_answer(on.stack.store, on.stack.clock, ref), _deleted)


def _earlier(at: str | None, known_at: str | None) -> int | None:
    """Return the instant of an as-of read: of the two, where both are stated, the earlier."""
    stated = [
        instant(value, field=field)
        for field, value in (("at", at), ("knownAt", known_at))
        if value is not None
    ]
    return min(stated, default=None)


def _saved(done: Saved) -> Table:
    return facts(
        [
            ("answer", done.answer_id),
            ("trace", done.trace_id),
            ("status", f"{done.status.value}, not checked yet"),
        ]
    )


def _checked(done: Checked) -> RenderableType:
    return facts(
        [
            ("answer", done.answer_id),
            ("status", done.status.value),
            ("changed", yes(done.changed)),
            ("event", "to come" if done.transition else "none"),
        ]
    )


def _refreshing(done: Refreshing) -> Table:
    return facts(
        [
            ("answer", done.answer_id),
            ("new answer", done.new_answer_id),
            ("status", "being made" if done.created else "had been asked for before"),
        ]
    )


def _deleted(done: Deleted) -> Table:
    return facts([("answer", done.answer_id), ("deleted", yes(done.deleted))])
