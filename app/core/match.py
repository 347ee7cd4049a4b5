"""Whether a claim still holds by the text that stands now where it was taken from (DESIGN §5).

Rules decide, offline, the same each time; no number, name, negation or word of the claim may be
left over. What they cannot prove is not supported (docs/matcher.md has the measured figures).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.core import contradictions
from app.core.lexicon import OVERRIDE
from app.core.quantities import Agreement, agreement
from app.core.reading import Said, best, read, same_saying, statements, support
from app.core.reasons import CONTRADICTIONS, NUMERIC, Reason, ReasonKind
from app.core.wording import spoken

__all__ = ["MATCHER_VERSION", "Match", "Reason", "ReasonKind", "Support", "match"]

MATCHER_VERSION: Final = "2"

_SAME_SUBJECT: Final = 80  # percent of a claim's words that a new sentence shares to deny it
_SAME_TOPIC: Final = 50  # percent that a sentence shares which says that something is superseded
_ABOUT_IT: Final = 33  # percent of such a sentence's own words that the claim shares
_FACET: Final = re.compile(r",? and | und | et |; ")


class Support(StrEnum):
    """How far the current text carries a claim."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Match:
    """A verdict with its reasons; ``anchor`` is the statement that it rests on.

    ``material``: the current text contradicts the claim, it does not merely lack something.
    """

    verdict: Support
    material: bool
    reasons: tuple[Reason, ...]
    anchor: str | None

    @property
    def numeric(self) -> bool:
        """Whether an amount, a percentage, a date, a duration or a count contradicts."""
        return any(reason.kind in NUMERIC for reason in self.reasons)


def match(
    claim: str,
    span: str,
    *,
    old_span: str | None = None,
    added: Sequence[str] = (),
    language: str = "en",
    moved: bool = False,
    near: Mapping[str, int] | None = None,
) -> Match:
    """Judge ``claim`` by ``span``, which stands now where ``old_span`` stood.

    ``added`` are the sentences new in this version; ``moved`` says that the heading or key above
    the span is another one; ``language`` is that of the claim, ``""`` where it is not known.
    ``near`` ranks statements of the span, the nearest to the claim highest: of those that hold as
    much of the claim the nearest is its anchor. It decides nothing else.
    """
    stated = read(claim, language)
    tongue = spoken(span) or language
    now = statements(span, tongue)
    before = statements(old_span, spoken(old_span) or language) if old_span is not None else None
    against = list(_denied(stated, added, tongue))
    if moved:
        against.append(Reason(ReasonKind.MOVED, "it stands under another heading or key"))
    if _stands(before, now) or _stands((stated,), (read(span, tongue),)):
        return _verdict(
            stated, None, span, against, Reason(ReasonKind.UNCHANGED, "the text stands")
        )
    if _foreign(claim, span):
        return _verdict(stated, now, span, [*against, *_abroad(stated, now, before)])
    ranked = tuple(sorted(now, key=lambda said: -(near or {}).get(said.raw, 0)))
    reasons, anchor = _judged(claim, language, ranked, before)
    return _verdict(stated, now, anchor, [*against, *reasons])


def _verdict(
    claim: Said,
    now: tuple[Said, ...] | None,
    anchor: str | None,
    against: Sequence[Reason],
    ground: Reason | None = None,
) -> Match:
    reasons = tuple(dict.fromkeys(against))
    material = any(reason.kind in CONTRADICTIONS for reason in reasons)
    if not reasons:
        return Match(
            Support.SUPPORTED,
            False,
            (ground or Reason(ReasonKind.COVERED, "every word and value of the claim stands"),),
            anchor,
        )
    partly = now is None or _mostly(claim, now)
    verdict = Support.PARTIAL if partly and not material else Support.UNSUPPORTED
    return Match(verdict, material, reasons, anchor)


def _mostly(claim: Said, now: tuple[Said, ...]) -> bool:
    """Whether the current text still holds half of the claim."""
    whole = support(claim, claim)
    return any(2 * support(claim, said) >= whole > 0 for said in now)


def _stands(before: tuple[Said, ...] | None, now: tuple[Said, ...]) -> bool:
    """Whether the current text says the same, statement by statement, and anything at all."""
    if not before or len(before) != len(now) or not any(said.tokens for said in now):
        return False
    return all(same_saying(one, other) for one, other in zip(before, now, strict=True))


def _foreign(claim: str, span: str) -> bool:
    one, other = spoken(claim), spoken(span)
    return bool(one and other and one != other)


def _abroad(
    claim: Said, now: tuple[Said, ...], before: tuple[Said, ...] | None
) -> Iterator[Reason]:
    """Across languages only numbers are compared, and a span with what it was: never cleared."""
    for said in now:
        old = best(said, before) if before else None
        reasons = [*contradictions.numbers(claim, said, old)]
        if old is not None:
            reasons += contradictions.compared(old, said, old)
        yield from (reason for reason in reasons if reason.kind in CONTRADICTIONS)
    yield Reason(ReasonKind.LANGUAGE, "claim and text are in different languages")


def _judged(
    claim: str, language: str, now: tuple[Said, ...], before: tuple[Said, ...] | None
) -> tuple[list[Reason], str | None]:
    reasons: list[Reason] = []
    anchors: dict[str, None] = {}
    parts = statements(claim, language) or (read(claim, language),)
    for part in parts:
        for facet in _facets(part, now, language):
            found, anchor = _facet(facet, now, before)
            reasons += found
            if anchor is not None:
                anchors[anchor.raw] = None
    return reasons, " ".join(anchors) or None


def _facets(part: Said, now: tuple[Said, ...], language: str) -> list[Said]:
    """Split `A and B` where no one statement holds both; each is then sought for itself."""
    pieces = [piece for piece in _FACET.split(part.raw) if piece.strip()]
    anchor = best(part, now)
    if len(pieces) < 2 or anchor is None or support(part, anchor) == support(part, part):
        return [part]
    facets = [read(piece, language) for piece in pieces]
    elsewhere = {id(best(facet, now)) for facet in facets}
    return facets if len(elsewhere) > 1 and all(f.words or f.quantities for f in facets) else [part]


def _facet(
    facet: Said, now: tuple[Said, ...], before: tuple[Said, ...] | None
) -> tuple[list[Reason], Said | None]:
    old = best(facet, before) if before else None
    anchor = _anchor(facet, now, old)
    if old is None and before is not None and len(before) == 1:
        old = before[0]
        anchor = anchor or best(old, now)
    if old is not None and support(facet, old) == support(facet, facet):
        kept = [said for said in now if same_saying(old, said)]
        if kept:
            fresh = [s.raw for s in now if not any(same_saying(o, s) for o in before or ())]
            return list(_denied(facet, fresh, "en")), kept[0]
    if anchor is None:
        return [Reason(ReasonKind.MISSING, "nothing of it is stated")], None
    return list(contradictions.compared(facet, anchor, old)), anchor


def _anchor(facet: Said, now: tuple[Said, ...], old: Said | None) -> Said | None:
    """Return the statement that holds most of the facet, then of what it rested on."""

    def held(said: Said) -> int:
        return 2 * support(facet, said) + (support(old, said) if old is not None else 0)

    found = max(now, key=held, default=None)
    return found if found is not None and (held(found) or len(now) == 1) else None


def _denied(claim: Said, added: Sequence[str], language: str) -> Iterator[Reason]:
    """Yield what new sentences say against the claim; those on other things say nothing."""
    for text in added:
        for said in statements(text, language):
            yield from _denial(claim, said)


def _shares_a_value(claim: Said, said: Said) -> bool:
    """Whether a sentence states a value that is, or could be, one of the claim's."""
    return any(
        agreement(one, other) is not Agreement.OTHER
        for one in claim.quantities
        for other in said.quantities
    )


def _denial(claim: Said, said: Said) -> Iterator[Reason]:
    shared = [word for word in claim.words if said.stems[word.stem]]
    if not shared or len(shared) + _shares_a_value(claim, said) < 2:
        return
    if any(word.name and word not in shared for word in claim.words):
        return
    if 100 * len(shared) < _ABOUT_IT * len(said.words) or contradictions.another(claim, said):
        return
    share = 100 * len(shared) // len(claim.words)
    if share >= _SAME_TOPIC and OVERRIDE.search(said.text):
        yield Reason(ReasonKind.HISTORY, f"a new sentence replaces it: {said.raw}")
    if share >= _SAME_SUBJECT:
        for reason in contradictions.compared(claim, said, None):
            if reason.kind in CONTRADICTIONS:
                yield Reason(reason.kind, f"{reason.detail} in a new sentence: {said.raw}")
