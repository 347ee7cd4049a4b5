"""Verify: affected claims against the spans that win now, each verdict kept (seed §3.4 iv)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

import structlog

from app.config import ModelsSettings
from app.core.errors import LimitReached, Unavailable
from app.core.match import MATCHER_VERSION
from app.core.rules import Verdict, Verification
from app.core.states import ClaimCheck
from app.core.values import sha256, source_key
from app.core.verification import doubted
from app.flow.ledger import Ledger
from app.flow.questions import Answered, Judge, Question, read_questions, read_texts
from app.graph.queries import verify as q
from app.ports import Clock, Embedder, Run, Store, Tx, Verified, Veto

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Matcher:
    """Rule 4 by the matcher's rules. It keeps what it found, and has no generator to call.

    ``embedder`` says which of several sentences is nearest to a claim; it never decides. ``veto``
    is asked about what the rules clear, and may take that back. A model that is configured and
    fails, or is over the tenant's cap, leaves the claims that it was to be asked about unverified.
    """

    store: Store
    clock: Clock
    embedder: Embedder | None = None
    models: ModelsSettings = field(default_factory=ModelsSettings)
    veto: Veto | None = None
    configured: bool = True

    @property
    def model(self) -> str | None:
        """What ranks, and what may veto, by name; ``None`` where the rules judge alone."""
        used = (self.embedder, self.veto)
        return " + ".join(each.name for each in used if each is not None) or None

    def verify(self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]) -> Verified:
        """Return a verdict for each affected claim, by answer id and claim index.

        What was found once of the same claim, citations, winners and bindings, by the same matcher
        and models, is read and not found again. What is found now is kept by the check's commit.
        """
        unasked = Verification(Verdict.FAILED)
        try:
            asked, kept = self.store.reading(partial(self._asked, tenant=tenant, affected=affected))
        except Unavailable as refused:
            if refused.code.startswith("STORE_"):
                raise
            _tell(tenant, refused)
            claims = [
                (answer_id, each.idx) for answer_id, held in affected.items() for each in held
            ]
            return Verified(dict.fromkeys(claims, unasked))
        verdicts = {row.digest: Verification(Verdict(row.verdict), row.material) for row in kept}
        found = self._found(tenant, {at: each for each, at in asked if at not in verdicts})
        verdicts |= {digest: each.verification for digest, each in found.items()}
        tied = {(row.digest, each["trace_id"], each["idx"]) for row in kept for each in row.tied}
        rows = [
            self._row(tenant, each, digest, found.get(digest))
            for each, digest in asked
            if digest in verdicts and (digest, each.claim.trace_id, each.claim.idx) not in tied
        ]
        return Verified(
            {each.key: verdicts.get(digest, unasked) for each, digest in asked},
            partial(_keep, tenant=tenant, rows=sorted(rows, key=_place), now=self.clock.now()),
        )

    def _found(self, tenant: str, fresh: Mapping[str, Question]) -> dict[str, Answered]:
        """Judge what no verdict is kept of, once for each digest; nothing if no model ranks it."""
        if not fresh:
            return {}
        judge = Judge(read_texts(self.store, tenant, list(fresh.values())))
        try:
            near = self._nearness(tenant, judge, fresh)
        except (Unavailable, LimitReached) as refused:
            if refused.code.startswith("STORE_"):
                raise
            _tell(tenant, refused)
            return {}
        found = {digest: judge.judge(each, near.get(digest)) for digest, each in fresh.items()}
        return self._doubted(tenant, judge, fresh, found)

    def _doubted(
        self,
        tenant: str,
        judge: Judge,
        fresh: Mapping[str, Question],
        found: Mapping[str, Answered],
    ) -> dict[str, Answered]:
        """Let a model read what the rules clear, all in one call; left out if the model fails."""
        cleared = {
            digest: judge.pairs(fresh[digest])
            for digest, each in found.items()
            if each.judgement.verdict is Verdict.SUPPORTED
        }
        if self.veto is None or not cleared:
            return dict(found)
        pairs = list(dict.fromkeys(chain.from_iterable(cleared.values())))
        try:
            doubts = dict(zip(pairs, self.veto.read(pairs), strict=True))
        except Unavailable as refused:
            _tell(tenant, refused)
            return {digest: each for digest, each in found.items() if digest not in cleared}
        name = self.veto.name
        return {
            digest: replace(
                each,
                judgement=doubted(
                    each.judgement, name, [doubts[pair] for pair in cleared.get(digest, ())]
                ),
            )
            for digest, each in found.items()
        }

    def _nearness(
        self, tenant: str, judge: Judge, fresh: Mapping[str, Question]
    ) -> dict[str, dict[str, int]]:
        """Rank the sentences of each question by their nearness to its claim, in thousandths.

        All in one call. Raises ``Unavailable`` or ``LimitReached`` as the model or its cap does.
        """
        if self.embedder is None:
            return {}
        sentences = {digest: judge.sentences(each) for digest, each in fresh.items()}
        claims = {digest: each.claim.text or "" for digest, each in fresh.items()}
        texts = list(dict.fromkeys([*claims.values(), *chain.from_iterable(sentences.values())]))
        ledger = Ledger(self.store, self.clock, self.models, tenant)
        vectors = dict(zip(texts, ledger.embed(self.embedder, texts), strict=True))
        return {
            digest: {
                each: int(1000 * (vectors[claim] @ vectors[each])) for each in sentences[digest]
            }
            for digest, claim in claims.items()
        }

    def _digest(self, question: Question) -> str:
        """Return what stands for all that a verdict reads; texts of versions never change."""
        read = {
            "claim": question.claim.text,
            "displaced": [asdict(cause) for cause in question.displaced],
            "standing": question.standing,
            "bound": [asdict(each) for each in question.bound],
            "matcher": MATCHER_VERSION,
            "model": self.model,
        }
        return sha256(json.dumps(read, sort_keys=True, ensure_ascii=False))

    def _asked(
        self, run: Run, *, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]
    ) -> tuple[list[tuple[Question, str]], list[q.Kept]]:
        """Read the questions, each with its digest, and the verdicts that are kept of them.

        Raises ``Unavailable`` where a model does not say which it is.
        """
        questions = read_questions(run, tenant, affected)
        asked = [(each, self._digest(each)) for each in questions]
        rows = [
            {"digest": digest, "trace_id": each.claim.trace_id, "idx": each.claim.idx}
            for each, digest in asked
        ]
        return asked, run(q.READ_VERIFICATIONS, tenant=tenant, rows=rows) if rows else []

    def _row(
        self, tenant: str, question: Question, digest: str, found: Answered | None
    ) -> dict[str, Any]:
        row: dict[str, Any] = {
            "digest": digest,
            "trace_id": question.claim.trace_id,
            "idx": question.claim.idx,
            "against": [],
        }
        if found is None:
            return row
        return row | {
            "verdict": found.judgement.verdict,
            "material": found.judgement.material,
            "reasons": list(found.judgement.reasons),
            "matcher_version": MATCHER_VERSION,
            "model": self.model,
            "against": [
                {
                    "source_key": source_key(tenant, cause.source_id),
                    "tx": cause.winning_tx,
                    "cited_tx": cause.cited_tx,
                    "cited_start": cause.start,
                    "cited_end": cause.end,
                    "start": start,
                    "end": end,
                }
                for cause, start, end in found.spans
                if cause.winning_tx is not None
            ],
        }


def _keep(tx: Tx, *, tenant: str, rows: Sequence[dict[str, Any]], now: int) -> None:
    """Keep verdicts in the order of their digests, so that two workers never wait crosswise."""
    if rows:
        tx.run(q.WRITE_VERIFICATIONS, tenant=tenant, rows=rows, recorded_at=now)


def _tell(tenant: str, refused: Unavailable | LimitReached) -> None:
    _log.warning("model_unavailable", tenant=tenant, why=refused.code, told=str(refused))


def _place(row: Mapping[str, Any]) -> tuple[str, str, int]:
    return row["digest"], row["trace_id"], row["idx"]
