"""DESIGN §5 read literally for one claim: its causes, its state, its caveats; and the fold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tests.flow.ledger import Held, Ledger

WORST_FIRST = ("invalidated", "conflicted", "pending", "affected", "ok")
OUTCOMES = {"open": "pending", "conflicted": "conflicted", "bound": "affected"}


@dataclass(frozen=True)
class Made:
    """A claim as it was made: versions cited by source and tx, and the instant that pins it."""

    cites: tuple[tuple[str, int], ...]
    pinned: int | None = None
    pending: tuple[str, ...] = ()

    @property
    def lasting(self) -> tuple[str, ...]:
        """The caveats that no check takes away."""
        shown = {"judged_as_of": self.pinned is not None, "no_evidence": not self.cites}
        return tuple(sorted(name for name, shows in shown.items() if shows))


@dataclass(frozen=True)
class Why:
    """A cause, with the cited and the winning tx, or the clarification that it comes from."""

    kind: str
    state: str
    source_id: str
    cited: int | None
    winning: int | None
    clarification: str | None = None


@dataclass(frozen=True)
class Judged:
    """A claim as a check found it."""

    state: str = "ok"
    causes: tuple[Why, ...] = ()
    caveats: tuple[str, ...] = ()


class Sourced(Protocol):
    @property
    def ledger(self) -> Ledger: ...


class Asked(Protocol):
    @property
    def source_id(self) -> str: ...
    @property
    def states(self) -> list[tuple[str, str | None, int | None]]: ...


class Known(Protocol):
    """What a check can read."""

    @property
    def sources(self) -> Mapping[str, Sourced]: ...
    @property
    def clarifications(self) -> Mapping[str, Asked]: ...


def judged(made: Made, now: int, known: Known) -> Judged:
    """Judge a claim by all of its causes; nobody verifies, so an affected one says so."""
    at = now if made.pinned is None else made.pinned
    causes = [lost(known.sources[s].ledger, s, tx, at) for s, tx in sorted(made.cites)]
    causes += [asked(known.clarifications[name], name) for name in made.pending]
    found = sorted((why for why in causes if why is not None), key=_place)
    state = min((why.state for why in found), key=WORST_FIRST.index, default="ok")
    caveats = {*made.lasting, *noted(made, at, known)}
    if state == "affected":
        caveats.add("verification:unavailable")
    return Judged(state, tuple(found), tuple(sorted(caveats)))


def lost(ledger: Ledger, source_id: str, tx: int, at: int) -> Why | None:
    """Rules 1 and 2."""
    cited = ledger.at(tx)
    assert cited is not None
    winner = ledger.winner(at)
    if cited.gone:
        return Why("tombstoned", "invalidated", source_id, tx, winner)
    if winner == tx:
        return None
    return Why(_kind(ledger, cited, at), "affected", source_id, tx, winner)


def asked(question: Asked, name: str) -> Why | None:
    """Rule 3."""
    state, _, chosen = question.states[-1]
    if state == "withdrawn":
        return None
    return Why(f"clarification_{state}", OUTCOMES[state], question.source_id, None, chosen, name)


def noted(made: Made, at: int, known: Known) -> Iterable[str]:
    """What moves no state: a question asked later, something newer under the override that wins."""
    for name, question in known.clarifications.items():
        about = question.source_id in {source_id for source_id, _ in made.cites}
        if about and name not in made.pending and question.states[-1][0] == "open":
            yield "clarification_open"
    for source_id, tx in made.cites:
        ledger = known.sources[source_id].ledger
        deciding, first = ledger.active(at), ledger.first(at)
        if deciding is None or deciding.bound_tx != tx or first is None:
            continue
        if first.tx > deciding.tx and first.tx != tx:
            yield "newer_under_override"


def folded(states: list[str]) -> str:
    """The status that claim states give."""
    for state in ("invalidated", "conflicted", "pending"):
        if state in states:
            return state
    if "affected" not in states:
        return "current"
    return "stale" if set(states) == {"affected"} else "partially_stale"


def next_edge(ledger: Ledger, at: int) -> int | None:
    """The first instant after ``at`` at which somebody else wins, or nobody, or again somebody."""
    later = [point for point in ledger.boundaries() if point > at]
    standing = ledger.winner(at)
    return next((point for point in later if ledger.winner(point) != standing), None)


def _kind(ledger: Ledger, cited: Held, at: int) -> str:
    winner = ledger.at(tx) if (tx := ledger.winner(at)) is not None else None
    if winner is not None and winner.corrects == cited.tx:
        return "corrected"
    if cited.end <= at:
        return "expired"
    if cited.start > at:
        return "not_yet_valid"
    if ledger.active(at) is not None:
        return "overridden"
    if winner is None:
        first = ledger.first(at)
        ended = first is not None and first.text is None
        return "source_ended" if ended else "corrected"
    return "newer_version" if (winner.start, winner.tx) > (cited.start, cited.tx) else "corrected"


def _place(why: Why) -> tuple[str, str, int]:
    return why.source_id, why.clarification or "", why.cited or 0
