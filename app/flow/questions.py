"""Questions of rule 4: what a displaced claim cited, and what stands there now (DESIGN §5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.core.reading import statements
from app.core.rules import Verification
from app.core.spans import Found, Lost, Span, added, compare, current_span, is_moved, widened
from app.core.states import Cause, ClaimCheck
from app.core.values import source_key
from app.core.verification import Binding, Displaced, Judgement, judge
from app.graph.queries import verify as q
from app.ports import Run, Store

LANGUAGE: Final = "en"
"""Of claims whose language nothing tells; the matcher finds out by their words."""

Coordinate = tuple[str, int]
"""A source's id and the tx of one of its versions."""


@dataclass(frozen=True, slots=True)
class Question:
    """An affected claim with the coordinates of all that its verdict reads."""

    claim: q.ClaimRow
    displaced: tuple[Cause, ...]
    bound: tuple[q.Outcome, ...]

    @property
    def key(self) -> tuple[str, int]:
        """The answer's id and the claim's index."""
        return self.claim.answer_id, self.claim.idx

    @property
    def standing(self) -> list[tuple[str, int, int, int]]:
        """The citations that still win: source, tx, start, end."""
        lost = {(each.source_id, each.cited_tx, each.start, each.end) for each in self.displaced}
        cited = [(c["source_id"], c["tx"], c["start"], c["end"]) for c in self.claim.cites]
        return [each for each in cited if each not in lost]

    @property
    def coordinates(self) -> set[Coordinate]:
        """The versions whose texts the verdict reads."""
        moved = {
            (each.source_id, tx)
            for each in self.displaced
            for tx in (each.cited_tx, each.winning_tx)
            if tx is not None
        }
        return moved | {(source_id, tx) for source_id, tx, _, _ in self.standing}


def read_questions(
    run: Run, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]
) -> list[Question]:
    """Read the affected claims, by answer id, with what they cite and what bindings say."""
    checks = {(answer_id, each.idx): each for answer_id, held in affected.items() for each in held}
    rows = [{"answer_id": answer_id, "idx": idx} for answer_id, idx in sorted(checks)]
    claims = run(q.READ_CLAIMS, tenant=tenant, rows=rows) if rows else []
    asked = {
        cause.clarification_id
        for check in checks.values()
        for cause in check.causes
        if cause.clarification_id is not None
    }
    outcomes = {
        row.clarification_id: row
        for row in (
            run(q.READ_OUTCOMES, tenant=tenant, clarification_ids=sorted(asked)) if asked else ()
        )
    }
    return [_question(row, checks[row.answer_id, row.idx], outcomes) for row in claims]


def read_texts(
    store: Store, tenant: str, questions: Sequence[Question]
) -> Mapping[Coordinate, str]:
    """Read the texts of all versions that some verdicts need; an end has none."""
    wanted = sorted({each for question in questions for each in question.coordinates})
    if not wanted:
        return {}
    coordinates = [
        {"source_key": source_key(tenant, source_id), "tx": tx} for source_id, tx in wanted
    ]
    rows = store.read(q.READ_TEXTS, coordinates=coordinates)
    return {(row.source_id, row.tx): row.text for row in rows if row.text is not None}


@dataclass(frozen=True, slots=True)
class Answered:
    """What a question came to: the judgement, and the span found for each displaced citation."""

    judgement: Judgement
    spans: tuple[tuple[Cause, int | None, int | None], ...]

    @property
    def verification(self) -> Verification:
        """The verdict as rule 4 takes it."""
        return Verification(self.judgement.verdict, self.judgement.material)


class Judge:
    """Answers questions over some texts; two versions are compared once, however many cite them."""

    def __init__(self, texts: Mapping[Coordinate, str]) -> None:
        """Take the texts by coordinate."""
        self._texts = texts
        self._between = cache(compare)

    def sentences(self, question: Question) -> list[str]:
        """Return the statements among which a claim has its anchor, for a model to rank."""
        return [said.raw for span in self._winning(question) for said in statements(span, LANGUAGE)]

    def pairs(self, question: Question) -> list[tuple[str, str]]:
        """Return each text that a claim rests on now, beside the claim, for a model to read."""
        bound = (each.text for each in question.bound)
        texts = [*self._winning(question), *(text for text in bound if text)]
        return [(text, question.claim.text or "") for text in texts]

    def judge(self, question: Question, near: Mapping[str, int] | None = None) -> Answered:
        """Judge a claim against the spans that win now (DESIGN §5 rule 4)."""
        places = [(cause, *self._displaced(cause)) for cause in question.displaced]
        judgement = judge(
            question.claim.text or "",
            [displaced for _, displaced, _ in places],
            list(self._standing(question)),
            [_binding(question, each) for each in question.bound],
            near,
        )
        spans = tuple(
            (cause, *((None, None) if span is None else (span.start, span.end)))
            for cause, _, span in places
        )
        return Answered(judgement, spans)

    def _displaced(self, cause: Cause) -> tuple[Displaced, Span | None]:
        start, end = cause.start or 0, cause.end or 0
        old = self._texts.get((cause.source_id, cause.cited_tx or 0), "")
        new = self._texts.get((cause.source_id, cause.winning_tx or 0))
        if new is None:
            return Displaced(old[start:end], None, "no version wins"), None
        between = self._between(old, new)
        found = current_span(between, start, end)
        low, high = widened(between, start, end)
        if isinstance(found, Lost):
            return Displaced(old[low:high], None, found.why), None
        same = found.kind is Found.SAME
        return Displaced(
            cited=old[start:end] if same else old[low:high],
            current=new[found.start : found.end],
            added=added(between, found),
            moved=is_moved(between, start, found),
        ), found

    def _winning(self, question: Question) -> Iterator[str]:
        spans = [self._displaced(cause)[0].current for cause in question.displaced]
        yield from (span for span in spans if span)
        yield from self._standing(question)

    def _standing(self, question: Question) -> Iterator[str]:
        for source_id, tx, start, end in question.standing:
            yield self._texts.get((source_id, tx), "")[start:end]


def _question(row: q.ClaimRow, check: ClaimCheck, outcomes: Mapping[str, q.Outcome]) -> Question:
    ids = [cause.clarification_id for cause in check.causes if cause.clarification_id is not None]
    return Question(
        claim=row,
        displaced=tuple(cause for cause in check.causes if cause.clarification_id is None),
        bound=tuple(outcomes[each] for each in ids if each in outcomes),
    )


def _binding(question: Question, outcome: q.Outcome) -> Binding:
    cited = {c["tx"] for c in question.claim.cites if c["source_id"] == outcome.source_id}
    elsewhere = outcome.bound_tx is not None and outcome.bound_tx not in cited
    return Binding(outcome.text, elsewhere)
