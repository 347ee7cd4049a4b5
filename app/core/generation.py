"""What a generator is given and gives back, and what of that stands in the given texts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.core.quotes import same_quote

_MOST_WORDS: Final = 400


class Judgement(StrEnum):
    """What is said of a claim against its evidence; the verdicts of a trace."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    UNVERIFIED = "unverified"


Judge = Callable[[str, Sequence[str]], Judgement]
"""Says whether quotes support a claim that is not one of them."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a winning version, with its text; ``number`` (from 1) names it to a generator."""

    number: int
    source_id: str
    tx: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a generator says stand in the passage of that number."""

    passage: int
    text: str


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A claim of a draft with the quotes that it is said to rest on."""

    text: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a generator answers, and the tokens that it used; ``None`` where it did not tell."""

    claims: tuple[DraftClaim, ...]
    tokens_in: int | None = 0
    tokens_out: int | None = 0

    @property
    def tokens(self) -> int | None:
        """All tokens that were used."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a quote stands: a span of the version's stored text, and the words there."""

    source_id: str
    tx: int
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with the evidence that was found; ``refused`` says what was not, in words."""

    text: str
    evidence: tuple[Evidence, ...]
    verdict: Judgement
    refused: tuple[str, ...]


def unjudged(claim: str, quotes: Sequence[str]) -> Judgement:
    """Say nothing: what to use where there is no matcher."""
    del claim, quotes
    return Judgement.UNVERIFIED


def checked(claim: DraftClaim, passages: Sequence[Passage], judge: Judge) -> CheckedClaim:
    """Return a claim with those of its quotes that really stand in their passages.

    A claim without any is unsupported, whatever it says; one that is a quote of it is supported;
    about any other ``judge`` decides.
    """
    given = {passage.number: passage for passage in passages}
    evidence: list[Evidence] = []
    refused: list[str] = []
    for quote in claim.quotes:
        passage = given.get(quote.passage)
        found = None if passage is None else _evidence(quote, passage)
        if passage is None:
            refused.append(f"there is no passage {quote.passage}")
        elif found is None:
            refused.append(f"the quote does not stand in passage {quote.passage}")
        elif found not in evidence:
            evidence.append(found)
    return CheckedClaim(
        claim.text, tuple(evidence), _verdict(claim.text, evidence, judge), tuple(refused)
    )


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Return where ``quote`` first stands in ``text``, runs of white space being one blank."""
    words = quote.split()
    if not words or len(words) > _MOST_WORDS:
        return None
    exact = quote.strip()
    if (at := text.find(exact)) >= 0:
        return at, at + len(exact)
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return None if found is None else found.span()


def _evidence(quote: Quote, passage: Passage) -> Evidence | None:
    place = located(quote.text, passage.text)
    if place is None:
        return None
    start, end = place
    return Evidence(
        passage.source_id,
        passage.tx,
        passage.start + start,
        passage.start + end,
        passage.text[start:end],
    )


def _verdict(claim: str, evidence: Sequence[Evidence], judge: Judge) -> Judgement:
    quotes = [each.quote for each in evidence]
    if not quotes:
        return Judgement.UNSUPPORTED
    if any(same_quote(claim.strip(), quote) for quote in quotes):
        return Judgement.SUPPORTED
    return judge(claim, quotes)
