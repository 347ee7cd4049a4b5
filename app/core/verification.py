"""Rule 4 for one claim: whether it holds against what is true now (seed §3.4 iv, DESIGN §5).

It clears only if every displaced citation has a certain span in the version that wins instead,
nothing there or in a binding contradicts the claim, and together they support it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.core.match import Match, Support, match
from app.core.rules import Verdict

_SUPPORT: Final = {
    Support.SUPPORTED: Verdict.SUPPORTED,
    Support.PARTIAL: Verdict.PARTIAL,
    Support.UNSUPPORTED: Verdict.UNSUPPORTED,
}


@dataclass(frozen=True, slots=True)
class Displaced:
    """A citation that lost: the cited text, and the one that stands in its place, if it is certain.

    ``lost`` says why none is. ``added`` are the sentences new in the winning version, ``moved``
    says that the text stands under another heading or key there.
    """

    cited: str
    current: str | None
    lost: str | None = None
    added: tuple[str, ...] = ()
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """What a bound clarification says; ``elsewhere``: it chose another version than the cited."""

    text: str | None
    elsewhere: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a claim, whether the numeric gate fired, and why, a line for each reason."""

    verdict: Verdict
    material: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Doubt:
    """How a model reads a claim beside a text: whether a contradiction comes first, and how likely.

    ``percent`` is whole. The greater of two doubts is the stronger one.
    """

    first: bool
    percent: int


def judge(
    claim: str,
    displaced: Sequence[Displaced],
    standing: Sequence[str],
    bindings: Sequence[Binding],
    near: Mapping[str, int] | None = None,
) -> Judgement:
    """Judge a claim by its displaced citations, those that still stand, and its bindings.

    ``near`` ranks sentences by their nearness to the claim (``app.core.match``).
    """
    obstacles = [*_without_span(displaced), *_not_clearing(bindings)]
    found = [each for each in displaced if each.current is not None]
    matches = [_against(claim, each, near) for each in found]
    spans = [each.current for each in found if each.current is not None]
    bound = [
        _bound(claim, binding.text, [*standing, *spans]) for binding in bindings if binding.text
    ]
    against = [each for each in (*matches, *bound) if each.material]
    if obstacles or against:
        reasons = (*obstacles, *_told(against or matches))
        return Judgement(Verdict.UNSUPPORTED, any(each.numeric for each in against), reasons)
    short = [each for each in bound if each.verdict is not Support.SUPPORTED]
    if any(each.verdict is not Support.SUPPORTED for each in matches):
        short.append(_together(claim, found, standing, near))
    weakest = _weakest(short or [*matches, *bound])
    return Judgement(_SUPPORT[weakest.verdict], False, tuple(_told(short or [*matches, *bound])))


def _against(claim: str, each: Displaced, near: Mapping[str, int] | None) -> Match:
    return match(
        claim,
        each.current or "",
        old_span=each.cited,
        added=each.added,
        moved=each.moved,
        near=near,
    )


def _together(
    claim: str,
    found: Sequence[Displaced],
    standing: Sequence[str],
    near: Mapping[str, int] | None,
) -> Match:
    """Match a claim with all that it cites at once, since no citation alone may carry it."""
    spans = [*standing, *(each.current for each in found if each.current is not None)]
    return match(
        claim,
        "\n\n".join(spans),
        old_span="\n\n".join([*standing, *(each.cited for each in found)]),
        added=[sentence for each in found for sentence in each.added],
        moved=any(each.moved for each in found),
        near=near,
    )


def doubted(judgement: Judgement, model: str, doubts: Iterable[Doubt]) -> Judgement:
    """Let a model take back that a claim is cleared; nothing that it says clears one.

    Only a contradiction as its first choice does, and it is never ``material``.
    """
    strongest = max(doubts, default=None)
    if judgement.verdict is not Verdict.SUPPORTED or strongest is None or not strongest.first:
        return judgement
    veto = f"vetoed: {model} reads a contradiction ({strongest.percent} %)"
    return replace(judgement, verdict=Verdict.PARTIAL, reasons=(veto, *judgement.reasons))


def supports(claim: str, quotes: Sequence[str]) -> Support:
    """Say whether the quotes that a claim was made from support it."""
    return match(claim, "\n\n".join(quotes)).verdict


def _bound(claim: str, text: str, spans: Sequence[str]) -> Match:
    """Match a claim with a binding's text: it says the claim, or nothing that is not said there."""
    says = match(claim, text)
    if says.verdict is Support.SUPPORTED or says.material:
        return says
    said = match(text, "\n\n".join([claim, *spans]))
    return said if said.verdict is Support.SUPPORTED or said.material else says


def _without_span(displaced: Sequence[Displaced]) -> Iterator[str]:
    for each in displaced:
        if each.current is None:
            yield f"span: {each.lost}"


def _not_clearing(bindings: Sequence[Binding]) -> Iterator[str]:
    for each in bindings:
        if each.elsewhere:
            yield "binding: chose another version than the cited"
        elif not each.text:
            yield "binding: has no text"


def _weakest(matches: Sequence[Match]) -> Match:
    order = (Support.UNSUPPORTED, Support.PARTIAL, Support.SUPPORTED)
    return min(matches, key=lambda each: order.index(each.verdict))


def _told(matches: Sequence[Match]) -> Iterator[str]:
    told = (f"{reason.kind}: {reason.detail}" for each in matches for reason in each.reasons)
    yield from dict.fromkeys(told)
