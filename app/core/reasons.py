"""Why the matcher says what it says."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ReasonKind(StrEnum):
    """What a reason is about; those of ``CONTRADICTIONS`` say that the span denies the claim."""

    AMOUNT = "amount"
    PERCENT = "percent"
    DATE = "date"
    DURATION = "duration"
    COUNT = "count"
    REFERENCE = "reference"
    ENTITY = "entity"
    POLARITY = "polarity"
    MODALITY = "modality"
    ROLE = "role"
    HISTORY = "history"
    CONDITION = "condition"
    MISSING = "missing"
    UNSURE = "unsure"
    LANGUAGE = "language"
    MOVED = "moved"
    UNCHANGED = "unchanged"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Reason:
    """One ground of a verdict: its kind, and in words what was compared."""

    kind: ReasonKind
    detail: str


NUMERIC: Final = frozenset(
    {
        ReasonKind.AMOUNT,
        ReasonKind.PERCENT,
        ReasonKind.DATE,
        ReasonKind.DURATION,
        ReasonKind.COUNT,
    }
)

CONTRADICTIONS: Final = NUMERIC | {
    ReasonKind.REFERENCE,
    ReasonKind.ENTITY,
    ReasonKind.POLARITY,
    ReasonKind.MODALITY,
    ReasonKind.ROLE,
    ReasonKind.HISTORY,
}

GROUNDS: Final = frozenset({ReasonKind.UNCHANGED, ReasonKind.COVERED})
