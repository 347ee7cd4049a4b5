"""The demo's story: save a dozen answers in 2023, then let the registry and the clock go on."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from app.core.errors import Unavailable
from app.core.instants import SECOND, instant
from app.demo.registry import Row, registry, statements
from app.flow.answers import show_answer
from app.flow.clock import SettableClock
from app.flow.emit import list_events
from app.flow.import_jsonl import import_jsonl
from app.flow.jobs import read_progress
from app.flow.save import save_answer
from app.flow.sources import read_winner
from app.flow.trace import add_trace
from app.payloads.answers import AnswerView, SaveIn
from app.payloads.base import parse
from app.payloads.jobs import Event, Progress
from app.payloads.trace import TraceIn
from app.wiring import Stack

_PATIENCE: Final = 120.0
_ANSWERS: Final = files("app.demo") / "answers.json"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A step of the story: the date at which it plays, and how far undated releases are out."""

    title: str
    date: str
    releases: int


@dataclass(frozen=True, slots=True)
class Scene:
    """How things stand at the end of a chapter: the answers, and the events that left in it."""

    chapter: Chapter
    published: int
    answers: tuple[AnswerView, ...]
    events: tuple[Event, ...]


CHAPTERS: Final = (
    Chapter("A dozen answers are saved", "2023-09-01T00:00:00Z", 5),
    Chapter("Nothing is published, but the year ends", "2024-01-02T00:00:00Z", 5),
    Chapter("The releases of 2024 arrive", "2024-12-01T00:00:00Z", 8),
    Chapter("The releases of 2025 arrive", "2025-11-01T00:00:00Z", 11),
)


def play(stack: Stack, tenant: str) -> Iterator[Scene]:
    """Play the story on a running stack, for a tenant of its own; the clock is set back at the end.

    Raises ``Unavailable`` ``DEMO_STUCK`` where the workers do not settle a chapter in two minutes.
    """
    if not isinstance(stack.clock, SettableClock):
        raise Unavailable(
            "CLOCK_NOT_SETTABLE",
            "the demo moves the clock, and this stack runs on the real one",
            hint="Run it on `telha local`.",
        )
    heard = 0
    saved: list[str] = []
    try:
        for chapter in CHAPTERS:
            stack.clock.set(instant(chapter.date, field="date"))
            published = _publish(stack, tenant, chapter)
            saved = saved or _save_all(stack, tenant)
            _settle(stack, tenant, stack.clock)
            events = list_events(stack.store, tenant)
            answers = tuple(show_answer(stack.store, tenant, each) for each in saved)
            yield Scene(chapter, published, answers, tuple(events[heard:]))
            heard = len(events)
    finally:
        stack.clock.set(None)


def _publish(stack: Stack, tenant: str, chapter: Chapter) -> int:
    """Import all that is published by a chapter; what was there before is skipped."""
    rows = [row for row in registry() if _is_out(row, chapter)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "versions.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in statements(rows)))
        imported = import_jsonl(stack.store, stack.clock, tenant, path)
    stack.wake(tenant)
    return imported.stored


def _is_out(row: Row, chapter: Chapter) -> bool:
    if row["author_ts"] is not None:
        published = instant(row["author_ts"], field="author_ts")
        return published <= instant(chapter.date, field="date")
    return "node-releases" not in row["doc"] or bool(row["seq"] <= chapter.releases)


def _save_all(stack: Stack, tenant: str) -> list[str]:
    return [_save(stack, tenant, wanted) for wanted in json.loads(_ANSWERS.read_text())]


def _save(stack: Stack, tenant: str, wanted: dict[str, Any]) -> str:
    claims = [
        {"idx": idx, "text": claim["text"], "verdict": "supported", "evidence": [evidence]}
        for idx, claim in enumerate(wanted["claims"])
        for evidence in [_evidence(stack, tenant, claim["doc"], claim["quote"])]
    ]
    body = {
        "tenant": tenant,
        "question": wanted["question"],
        "draft": wanted["draft"],
        "timeBasis": {"txTime": stack.clock.now()},
        "claims": claims,
    }
    trace = add_trace(stack.store, stack.clock, parse(TraceIn, body))
    save = {"tenant": tenant, "traceId": trace.trace_id, "title": wanted["title"]}
    saved = save_answer(
        stack.store, stack.clock, parse(SaveIn, save), settings=stack.settings.answers
    )
    return saved.answer_id


def _evidence(stack: Stack, tenant: str, doc: str, quote: str) -> dict[str, Any]:
    winner = read_winner(stack.store, tenant, doc, at=stack.clock.now())
    start = (winner.text or "").index(quote)
    return {
        "sourceId": doc,
        "sourceVersionTx": winner.tx,
        "start": start,
        "end": start + len(quote),
        "quote": quote,
    }


def _settle(stack: Stack, tenant: str, clock: SettableClock) -> None:
    """Wait until the workers are done, let the event windows run out, and wait again."""
    _wait(stack, tenant, lambda progress: progress.settled)
    clock.set(clock.now() + stack.settings.watch.debounce + SECOND)
    _wait(stack, tenant, lambda progress: progress.quiet)


def _wait(stack: Stack, tenant: str, done: Callable[[Progress], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not done(progress := read_progress(stack.store, tenant, now=stack.clock.now())):
        if time.monotonic() > until:
            raise Unavailable(
                "DEMO_STUCK",
                f"the workers did not finish: {progress.model_dump(by_alias=True)}",
                hint="`telha local status` and `telha local logs worker` show why.",
            )
        time.sleep(0.2)
