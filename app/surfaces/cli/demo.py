"""``telha demo``: the main job on real histories, told as it happens."""

import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from app.core.states import ClaimState, Status
from app.payloads.answers import AnswerView, CauseView, ClaimView
from app.payloads.base import Payload
from app.payloads.jobs import Event
from app.surfaces.cli.shared import AsJson, Session, console, print_json, session
from app.surfaces.cli.text import NONE, STATE_STYLES, STATUS_STYLES, table, when

if TYPE_CHECKING:
    from app.demo.story import Scene


class Moved(Payload):
    """A claim that moved in a chapter, and the event that told its owner."""

    answer_id: str
    title: str
    claim: str
    before: ClaimState
    after: ClaimState
    status: Status
    why: str
    event_id: str | None


def demo(as_json: AsJson = False) -> None:
    """Save a dozen answers over real VAT and release histories, and watch them go stale."""
    from app.demo.story import play  # noqa: PLC0415 — keeps --help and completion quick

    tenant = f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    with session(tenant, as_json) as on:
        states: dict[tuple[str, int], ClaimState] = {}
        chapters = []
        for scene in play(on.stack, tenant):
            moved = list(_moved(on, scene, states))
            states = {
                (answer.answer_id, claim.idx): claim.state
                for answer in scene.answers
                for claim in answer.claims
            }
            if as_json:
                chapters.append(_chapter(scene, moved))
            else:
                _tell(scene, moved)
        if as_json:
            print_json({"tenant": tenant, "chapters": chapters})
        else:
            _close(tenant, scene)


def _moved(
    on: Session, scene: "Scene", states: dict[tuple[str, int], ClaimState]
) -> Iterator[Moved]:
    events = {event.answer_id: event for event in scene.events}
    for answer in scene.answers:
        for claim in answer.claims:
            before = states.get((answer.answer_id, claim.idx))
            if before is not None and before is not claim.state:
                yield _move(on, answer, claim, before, events.get(answer.answer_id))


def _move(
    on: Session, answer: AnswerView, claim: ClaimView, before: ClaimState, event: Event | None
) -> Moved:
    return Moved(
        answer_id=answer.answer_id,
        title=answer.title or "",
        claim=claim.text or "",
        before=before,
        after=claim.state,
        status=answer.status,
        why="; ".join(_why(on, cause) for cause in claim.causes),
        event_id=event.event_id if event else None,
    )


def _why(on: Session, cause: CauseView) -> str:
    cited = _origin(on, cause.source_id, cause.cited_tx)
    winning = _origin(on, cause.source_id, cause.winning_tx)
    return f"{cause.kind}: {cited} → {winning}"


def _origin(on: Session, source_id: str, tx: int | None) -> str:
    """Name the published package that a version came from, with the rate or date that it states."""
    from app.flow.sources import read_version  # noqa: PLC0415 — as above

    if tx is None:
        return "nothing"
    version = read_version(on.stack.store, on.tenant, source_id, tx)
    since = f" valid from {when(version.valid_from)[:10]}" if version.valid_from else ""
    return f"{version.origin}{since}"


def _chapter(scene: "Scene", moved: list[Moved]) -> dict[str, object]:
    return {
        "title": scene.chapter.title,
        "date": scene.chapter.date,
        "published": scene.published,
        "statuses": {str(answer.title): str(answer.status) for answer in scene.answers},
        "moved": [each.model_dump(mode="json", by_alias=True) for each in moved],
        "events": [each.model_dump(mode="json", by_alias=True) for each in scene.events],
    }


def _tell(scene: "Scene", moved: list[Moved]) -> None:
    out = console()
    title = f"{scene.chapter.date[:10]}  {scene.chapter.title}"
    out.print(Rule(Text(title, "bold"), align="left"))
    out.print(f"{scene.published} statements imported, {len(scene.events)} events", style="dim")
    if moved:
        out.print(_table(moved))
    else:
        out.print(_expectations(scene.answers))
    out.print()


def _table(moved: list[Moved]) -> Table:
    rows = [
        (
            each.title,
            each.claim,
            Text.assemble(
                (each.before, STATE_STYLES[each.before]),
                " → ",
                (each.after, STATE_STYLES[each.after]),
            ),
            Text(each.status, STATUS_STYLES[each.status]),
            each.why,
            (each.event_id or NONE)[:8],
        )
        for each in moved
    ]
    return table(("answer", "claim", "claim state", "status", "what displaced what", "event"), rows)


def _expectations(answers: tuple[AnswerView, ...]) -> Table:
    """Show what is known in advance: when the clock alone may change an answer."""
    rows = [
        (
            answer.title,
            Text(answer.status, STATUS_STYLES[answer.status]),
            answer.draft,
            when(answer.expires_at),
        )
        for answer in answers
    ]
    return table(("answer", "status", "text", "may change at"), rows)


def _close(tenant: str, scene: "Scene") -> None:
    out = console()
    moved = next((each for each in scene.answers if each.status != "current"), scene.answers[0])
    audit = "telha audit run citations_of_answer"
    out.print("Look closer:", style="bold")
    activate = f". {Path(sys.prefix, 'bin', 'activate')}    (puts telha on your path)"
    for line in (
        *([] if shutil.which("telha") else [activate]),
        f"telha answers ls --tenant {tenant}",
        f"telha answers show {moved.answer_id} --tenant {tenant}",
        f"{audit} --tenant {tenant} --param answer_id={moved.answer_id}",
        "telha local status    (Neo4j's address and where its password is, for Neo4j Browser)",
        "telha local down      (stops what this started)",
    ):
        out.print(f"  {line}", soft_wrap=True)
