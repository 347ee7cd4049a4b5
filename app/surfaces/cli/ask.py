"""``telha ask``: a question answered from what wins, with numbered citations."""

import time
from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from app.core.errors import Invalid
from app.core.generation import Judgement
from app.flow import generate, retrieve, save
from app.payloads.answers import SaveIn
from app.payloads.base import Payload
from app.payloads.generate import AnswerClaim, AskIn, CitedView, Generated, Retrieved
from app.surfaces.cli.shared import AsJson, RequestId, Session, Tenant, session, warn
from app.surfaces.cli.text import facts, plain, when

_CATCH_UP: Final = 5.0
_STYLES: Final = {
    Judgement.SUPPORTED: "green",
    Judgement.PARTIAL: "yellow",
    Judgement.UNVERIFIED: "default",
    Judgement.UNSUPPORTED: "bold red",
}


class Asked(Payload):
    """An answer, and the id under which it was saved, if it was."""

    answer: Generated
    answer_id: str | None


def ask(  # noqa: PLR0913, PLR0917 — a parameter for each option
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What to ask.")],
    valid_time: Annotated[
        str | None,
        typer.Option("--valid-time", help="What holds then, past or future: RFC 3339 or µs."),
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Only from this source; may be repeated.")
    ] = None,
    query: Annotated[
        bool, typer.Option("--query", help="Only find passages; nothing is generated.")
    ] = False,
    keep: Annotated[bool, typer.Option("--save", help="Save the answer at once.")] = False,
    title: Annotated[str | None, typer.Option("--title", help="What to call it, saved.")] = None,
    person: Annotated[str | None, typer.Option("--person", help="Who relies on it.")] = None,
    tenant: Tenant = None,
    request_id: RequestId = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question from what wins, each claim with the evidence that it rests on."""
    with session(tenant, as_json) as on:
        if query and keep:
            raise Invalid("OPTIONS_DIFFER", "what is only found cannot be saved", field="query")
        asked = on.parse(
            AskIn,
            question=question,
            valid_time=valid_time,
            source_ids=source or [],
            request_id=request_id,
        )
        _catch_up(on)
        if query:
            _find(on, asked)
        else:
            _answer(on, asked, {"title": title, "created_by_person": person} if keep else None)


def _catch_up(on: Session) -> None:
    """Index what was written a moment ago, for a few seconds, where that costs nothing."""
    maker = on.stack.maker()
    lag = maker.indexer(on.tenant).lag()
    if (lag.sources or lag.stale) and not maker.embedder.metered:
        until = time.monotonic() + _CATCH_UP
        maker.indexer(on.tenant).run(go_on=lambda: time.monotonic() < until)


def _find(on: Session, asked: AskIn) -> None:
    found = retrieve.retrieve(on.stack.maker(), asked)
    on.show(found, _found)
    _warn(on, found.warnings)


def _answer(on: Session, asked: AskIn, saving: dict[str, Any] | None) -> None:
    made = generate.generate(on.stack.maker(), asked)
    answer_id = None
    if saving is not None:
        payload = on.parse(SaveIn, trace_id=made.trace_id, request_id=asked.request_id, **saving)
        settings = on.stack.settings.answers
        saved = save.save_answer(on.stack.store, on.stack.clock, payload, settings=settings)
        on.wake(changed=saved.created)
        answer_id = saved.answer_id
    on.show(Asked(answer=made, answer_id=answer_id), _answered)
    _warn(on, made.warnings)


def _warn(on: Session, warnings: tuple[str, ...]) -> None:
    for warning in () if on.as_json else warnings:
        warn(warning)


def _answered(asked: Asked) -> RenderableType:
    made = asked.answer
    numbers = _numbers(made.claims)
    claims = [_claim(claim, numbers) for claim in made.claims] or [Text(plain(made.draft))]
    about = facts(
        [
            ("trace", made.trace_id),
            ("answer", asked.answer_id),
            ("holds at", "now" if made.valid_time is None else when(made.valid_time)),
            ("asked", when(made.tx_time)),
            ("asked of", ", ".join(made.source_ids) or "all sources"),
            ("made by", f"{made.model} ({made.prompt_version})"),
            ("found by", _found_by(made.retriever_version, made.embedding_model)),
            ("cost", _cost(made)),
        ]
    )
    cited = [Text(""), *(_cited(each, nth) for each, nth in numbers.items())] if numbers else []
    return Group(*claims, *cited, Text(""), about)


def _numbers(claims: tuple[AnswerClaim, ...]) -> dict[CitedView, int]:
    """Return a number from 1 for each evidence coordinate, in the order of the claims."""
    cited = dict.fromkeys(each for claim in claims for each in claim.evidence)
    return {each: nth for nth, each in enumerate(cited, start=1)}


def _claim(claim: AnswerClaim, numbers: dict[CitedView, int]) -> Text:
    marks = "".join(f"[{numbers[each]}]" for each in claim.evidence)
    told = Text(plain(claim.text)).append(f" {marks}" if marks else "", "dim")
    for note in _notes(claim):
        told.append(f" ({note})", _STYLES[claim.verdict])
    return told


def _notes(claim: AnswerClaim) -> Iterator[str]:
    if claim.verdict is not Judgement.SUPPORTED:
        yield claim.verdict.value
    yield from claim.refused
    for each in claim.pending_clarifications:
        yield f"a question about its source is open: {plain(each)}"


def _cited(cited: CitedView, number: int) -> Text:
    place = f"{cited.source_id}@{when(cited.source_version_tx)} {cited.start}-{cited.end}"
    return (
        Text(f"[{number}] ", "dim")
        .append(plain(place), "cyan")
        .append(f"  “{plain(cited.quote)}”", "default")
    )


def _found(found: Retrieved) -> RenderableType:
    passages = [_cited(each, nth) for nth, each in enumerate(found.passages, start=1)]
    about = facts(
        [
            ("trace", found.trace_id),
            ("holds at", "now" if found.valid_time is None else when(found.valid_time)),
            ("found by", _found_by(found.retriever_version, found.embedding_model)),
        ]
    )
    return Group(*(passages or [Text("nothing was found", "dim")]), Text(""), about)


def _found_by(retriever: str, embedding_model: str | None) -> str:
    return f"{retriever}, words" + (f" and {embedding_model}" if embedding_model else " alone")


def _cost(made: Generated) -> str:
    cost = made.cost
    told = f"{cost.tokens_in} + {cost.tokens_out} tokens, {cost.embeddings} embeddings"
    return f"{told}, {cost.cost_micros / 1e6:.4f}" if cost.cost_micros else told
