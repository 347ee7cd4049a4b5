"""Retrieval: the words that are sought, and rankings fused into one, ties by coordinates."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.core.values import sha256

RETRIEVER: Final = "rrf-1"
"""Which rules retrieve; a trace names them."""

_RRF: Final = 60
_MOST_WORDS: Final = 40
_WORD: Final = re.compile(r"\w+")
_ENGLISH_AND_GERMAN: Final = """
a aber about als am an and are as at auch auf aus be bei bin bis by can das dass dem den
der des did die do does ein eine einem einen einer es for from für had has hat have how
i ich if im in is ist it its mit nach nicht no not oder of on or our shall should sich
sie sind so than that the their there they this to um und von vor war was we welche
welcher welches wenn wer were what when where which who whom why wie will wird with wo
would you your zu zum zur über
"""
_FUNCTION_WORDS: Final = frozenset(_ENGLISH_AND_GERMAN.split())


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The coordinates of a passage; their order breaks ties."""

    source_id: str
    tx: int
    start: int
    end: int


def words(question: str) -> list[str]:
    """Return the words to seek, each once: those that carry meaning, or all if none does."""
    found = list(dict.fromkeys(word.lower() for word in _WORD.findall(question)))
    telling = [word for word in found if word not in _FUNCTION_WORDS]
    return (telling or found)[:_MOST_WORDS]


def scope_key(tenant: str, source_id: str) -> str:
    """Return two words that no text holds, by which an index of texts finds a tenant or source."""
    return f"{_tenant_word(tenant)} {_source_word(tenant, source_id)}"


def sought(question: str, tenant: str, source_ids: Sequence[str]) -> str | None:
    """Return the Lucene query for a question within a tenant, or some of its sources.

    ``None`` where the question has no word. Nothing of the question is an operator: words are lower
    case letters and digits.
    """
    found = words(question)
    if not found:
        return None
    scopes = [_source_word(tenant, each) for each in source_ids] or [_tenant_word(tenant)]
    return f"+scope_key:({' '.join(scopes)}) +text:({' '.join(found)})"


def fused(rankings: Iterable[Sequence[Place]], most: int) -> list[Place]:
    """Fuse rankings by reciprocal rank; what ranks equal stands in the order of coordinates."""
    scores: dict[Place, float] = {}
    for ranking in rankings:
        for rank, place in enumerate(dict.fromkeys(ranking), start=1):
            scores[place] = scores.get(place, 0.0) + 1 / (_RRF + rank)
    return sorted(scores, key=lambda place: (-scores[place], place))[:most]


def _tenant_word(tenant: str) -> str:
    return f"t{sha256(tenant)[:32]}"


def _source_word(tenant: str, source_id: str) -> str:
    return f"s{sha256(f'{tenant}/{source_id}')[:32]}"
