"""How an answer looks to people. What was never checked, or cannot be, is never green."""

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from app.core.states import CauseKind, Caveat, ClaimState, Status
from app.payloads.answers import (
    AnswerPage,
    AnswerRow,
    AnswerView,
    CauseView,
    ClaimView,
    VerificationView,
    VersionView,
)
from app.payloads.refresh import RefreshState, RefreshView
from app.surfaces.cli.text import (
    NONE,
    STATE_STYLES,
    Cell,
    Listing,
    facts,
    plain,
    status_word,
    when,
)

CAUSES: Final = {
    CauseKind.TOMBSTONED: "the cited version was withdrawn",
    CauseKind.NEWER_VERSION: "a newer version took the place of the cited one",
    CauseKind.CORRECTED: "the cited version was corrected",
    CauseKind.OVERRIDDEN: "a steward let another version win",
    CauseKind.EXPIRED: "the time of the cited version is over",
    CauseKind.NOT_YET_VALID: "the cited version does not hold yet",
    CauseKind.SOURCE_ENDED: "the source has ended, nothing holds in its place",
    CauseKind.WINNER_REMOVED: "the cited version does not win any more",
    CauseKind.CLARIFICATION_OPEN: "a question about the source is open",
    CauseKind.CLARIFICATION_CONFLICTED: "a question about the source has conflicting answers",
    CauseKind.CLARIFICATION_BOUND: "a question about the source was decided",
}
CAVEATS: Final[Mapping[str, str]] = {
    Caveat.NO_CLAIMS: "it makes no claims",
    Caveat.NO_EVIDENCE: "it cites nothing, so nothing can be checked",
    Caveat.JUDGED_AS_OF: "judged at the instant that the trace pins",
    Caveat.CLARIFICATION_OPEN: "a question about a cited source was opened later",
    Caveat.NEWER_UNDER_OVERRIDE: "a newer version exists under a steward's override",
    Caveat.VERIFICATION_UNAVAILABLE: "no model could verify the claim",
    Caveat.VERIFICATION_OFF: "verification is switched off",
}
NOT_CHECKED: Final = "not checked yet"
_HISTORY: Final = ("recorded", "status", "severity", "why", "event")
_NOT_CHECKABLE: Final = "not checkable"


def drawn_answer(view: AnswerView, *, stood: int | None = None) -> Group:
    """Return an answer as it stands, or as it stood at ``stood`` (µs)."""
    return Group(
        facts(_about(view, stood)),
        Text(f"\n{_counted(view)}", "bold"),
        *(_claim(claim) for claim in view.claims),
        Text("\nhistory", "bold"),
        Listing(_HISTORY, [_version(each) for each in view.history]),
    )


def drawn_page(page: AnswerPage) -> Listing:
    """Return a list of answers."""
    columns = ("answer", "status", "claims", "title", "saved", "checked", "may change at")
    return Listing(columns, [_row(each) for each in page.answers])


def drawn_refresh(view: RefreshView) -> Table:
    """Return an answer that is being made, or that could not be."""
    making = view.state is RefreshState.OPEN
    rows = [
        ("answer", view.new_answer_id),
        ("status", "refreshing, no saved answer yet" if making else "refresh failed"),
        ("refreshes", view.answer_id),
        ("reason", view.reason),
        ("asked by", view.requested_by),
        ("asked", when(view.requested_at)),
        ("ended", when(view.finished_at)),
    ]
    return facts(rows)


def _about(view: AnswerView, stood: int | None) -> Iterator[tuple[str, Cell]]:
    sure = view.checked_at is not None and all(claim.checkable for claim in view.claims)
    yield "answer", view.answer_id
    if view.title is not None:
        yield "title", view.title
    yield "status", status_word(view.status, view.severity, sure=sure)
    if stood is not None:
        yield "as it stood at", when(stood)
    if view.deleted_at is not None:
        yield "deleted", when(view.deleted_at)
    if view.superseded_by is not None:
        yield "superseded by", view.superseded_by
    yield "question", view.question
    yield "draft", view.draft
    yield "trace", view.trace_id
    yield "asked", _asked(view)
    yield "saved", f"{when(view.saved_at)}{_by(view)}"
    yield "checked", _checked(view.checked_at, stood)
    yield "checked through", when(view.checked_through)
    if view.status is Status.CURRENT:
        yield "may change at", when(view.expires_at)
    yield from (("note", _caveat(caveat)) for caveat in view.caveats)


def _asked(view: AnswerView) -> str:
    basis = view.time_basis
    pinned = basis.valid_time not in (None, basis.tx_time)
    return when(basis.tx_time) + (f", about {when(basis.valid_time)}" if pinned else "")


def _by(view: AnswerView) -> str:
    creator = view.created_by_person or view.created_by_key
    return f" by {creator}" if creator else ""


def _checked(at: int | None, stood: int | None) -> str:
    if at is not None:
        return when(at)
    return NOT_CHECKED if stood is None else NONE


def _counted(view: AnswerView) -> str:
    parts = [f"{len(view.claims)} claims"]
    for state in ClaimState:
        count = sum(claim.state is state and claim.checkable for claim in view.claims)
        parts += [f"{count} {state.value}"] if count else []
    blind = sum(not claim.checkable for claim in view.claims)
    return ", ".join(parts + ([f"{blind} {_NOT_CHECKABLE}"] if blind else []))


def _claim(claim: ClaimView) -> Group:
    head = Text(f"{claim.idx:>3}  ").append(_state(claim))
    if claim.severity is not None:
        head.append(f" ({claim.severity.value})", "bold red")
    head.append(f"  {NONE if claim.text is None else plain(claim.text)}")
    lines: list[str] = []
    if claim.valid_time is not None:
        lines.append(f"judged at {when(claim.valid_time)}")
    for cause in claim.causes:
        lines += _cause(cause)
    if claim.verification is not None:
        lines += _verification(claim.verification)
    lines += [f"note: {_caveat(caveat)}" for caveat in claim.caveats]
    return Group(head, *(Text(f"     {plain(line)}") for line in lines))


def _state(claim: ClaimView) -> Text:
    """Return a claim's state; one without evidence is shown as what it is: not checkable."""
    if claim.state is ClaimState.OK and not claim.checkable:
        return Text(_NOT_CHECKABLE, "dim")
    return Text(claim.state.value, STATE_STYLES[claim.state])


def _cause(cause: CauseView) -> Iterator[str]:
    yield f"because {CAUSES[cause.kind]}: {cause.source_id}"
    if cause.clarification_id is not None:
        yield f"  question {cause.clarification_id}"
    if cause.cited_tx is not None:
        yield f"  cited {when(cause.cited_tx)} {_span(cause.cited_start, cause.cited_end)}"
        yield f"  wins  {when(cause.winning_tx)} {_span(cause.winning_start, cause.winning_end)}"
    elif cause.winning_tx is not None:
        yield f"  chose {when(cause.winning_tx)}"


def _verification(found: VerificationView) -> Iterator[str]:
    how = f"matcher {found.matcher_version}" + (f", {found.model}" if found.model else "")
    yield f"verified against what wins now: {found.verdict} ({how})"
    yield from (f"  {reason}" for reason in found.reasons)


def _span(start: int | None, end: int | None) -> str:
    return NONE if start is None or end is None else f"[{start}, {end})"


def _caveat(caveat: str) -> str:
    """Return a caveat in words; one that this code does not know as it is."""
    return CAVEATS.get(caveat, caveat)


def _version(version: VersionView) -> tuple[Cell, ...]:
    severity = version.severity.value if version.severity else None
    return when(version.recorded_at), version.status.value, severity, version.why, version.emit_id


def _row(row: AnswerRow) -> tuple[Cell, ...]:
    sure = row.checked_at is not None and row.not_checkable == 0
    return (
        row.answer_id,
        status_word(row.status, row.severity, sure=sure),
        _claims(row),
        row.title,
        when(row.saved_at),
        NOT_CHECKED if row.checked_at is None else when(row.checked_at),
        when(row.expires_at),
    )


def _claims(row: AnswerRow) -> str:
    parts = [str(row.claims)]
    parts += [f"{row.not_ok} not ok"] if row.not_ok else []
    parts += [f"{row.not_checkable} {_NOT_CHECKABLE}"] if row.not_checkable else []
    return ", ".join(parts)
