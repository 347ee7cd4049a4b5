"""The default generator: it quotes the winning sentences that answer best. No LLM, no network.

The same question and passages give the same draft, and every claim is its own quote.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.core.chunks import sentences
from app.core.errors import Unavailable
from app.core.generation import Draft, DraftClaim, Passage, Quote
from app.core.retrieval import words
from app.ports import Embedder

PROMPT: Final = "quotes-1"
_MOST: Final = 3
_SHARE: Final = 0.75
_NEAR: Final = 0.45
_MOST_SENTENCES: Final = 400


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: int
    text: str


@dataclass(frozen=True, slots=True)
class ExtractiveGenerator:
    """Scores sentences by the question's words, rare ones more, and by meaning where it is free."""

    embedder: Embedder
    configured: bool = True
    name: str = "extractive"
    prompt_version: str = PROMPT

    def most_tokens(self, question: str, passages: Sequence[Passage]) -> int:
        """Return nothing: there is no model that counts tokens."""
        del question, passages
        return 0

    def generate(self, question: str, passages: Sequence[Passage]) -> Draft:
        """Return up to three sentences, those that score near the best; none where none answers."""
        found = _sentences(passages)
        if not found:
            return Draft(())
        by_words = _by_words(question, found)
        near = self._by_meaning(question, found)
        scores = [
            overlap + max(0.0, nearness) for overlap, nearness in zip(by_words, near, strict=True)
        ]
        answers = [nth for nth, overlap in enumerate(by_words) if overlap > 0 or near[nth] >= _NEAR]
        best = sorted(answers, key=lambda nth: (-scores[nth], nth))[:_MOST]
        chosen = [nth for nth in best if scores[nth] >= _SHARE * scores[best[0]]]
        return Draft(tuple(_claim(found[nth]) for nth in chosen))

    def _by_meaning(self, question: str, found: Sequence[_Sentence]) -> list[float]:
        """Rank all sentences at once by the cosine of their vectors."""
        if not self.embedder.configured or self.embedder.metered:
            return [0.0] * len(found)
        try:
            rows = self.embedder.embed([question, *(each.text for each in found)])
        except Unavailable:
            return [0.0] * len(found)
        return [round(float(score), 4) for score in rows[1:] @ rows[0]]


def _sentences(passages: Sequence[Passage]) -> list[_Sentence]:
    """Return the sentences of passages in their order, each text once, headings left out."""
    found: dict[str, _Sentence] = {}
    for passage in passages:
        for span in sentences(passage.text):
            text = passage.text[span.start : span.end]
            if not text.startswith("#"):
                found.setdefault(text, _Sentence(passage.number, text))
    return list(found.values())[:_MOST_SENTENCES]


def _by_words(question: str, found: Sequence[_Sentence]) -> list[float]:
    """Return how much of the question's words each sentence has: 0 to 1, rare words weigh more."""
    sought = words(question)
    held = [frozenset(words(each.text)) for each in found]
    frequency = Counter(word for each in held for word in each)
    weights = {word: math.log(1 + len(found) / (1 + frequency[word])) for word in sought}
    total = sum(weights.values()) or 1.0
    return [
        round(sum(weights[word] for word in sought if word in each) / total, 4) for each in held
    ]


def _claim(sentence: _Sentence) -> DraftClaim:
    return DraftClaim(sentence.text, (Quote(sentence.passage, sentence.text),))
