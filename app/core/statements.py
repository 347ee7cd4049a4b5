"""Statements: what a source says, as it arrives and as it is stored (DESIGN §4)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.core.errors import Invalid
from app.core.instants import FOREVER, MINUTE
from app.core.winner import Candidate

SKEW: Final = 5 * MINUTE


class Removal(StrEnum):
    """Why a version was tombstoned. Only ``RETENTION`` and ``ERASURE`` leave a blank that ranks."""

    WITHDRAWN = "withdrawn"
    CASCADE = "cascade"
    RETENTION = "retention"
    ERASURE = "erasure"


class FromRule(StrEnum):
    """Where a ``valid_from`` came from; ``TX`` is the default of a statement without any stamp."""

    STATED = "stated"
    SOURCE_TS = "source_ts"
    TX = "tx"
    CORRECTED = "corrected"
    IMPORTED = "imported"


LEAVES_BLANK: Final = frozenset({Removal.RETENTION, Removal.ERASURE})


@dataclass(frozen=True, slots=True)
class Statement:
    """One version, or an end where ``text_sha256`` is ``None``, at its ``tx`` (µs).

    ``valid_from`` and ``valid_to`` (µs) are as stated, ``None`` where they were not; a stated start
    without an end means an open end. ``imported_from`` is a start that an ordered import computed,
    which does not count as stated. ``corrects`` names the tx of the version that this one corrects.
    """

    tx: int
    text_sha256: str | None
    valid_from: int | None = None
    valid_to: int | None = None
    source_ts: int | None = None
    corrects: int | None = None
    imported_from: int | None = None

    @property
    def stated_to(self) -> int | None:
        """The end that it states; a stated start without an end states an open one."""
        if self.valid_to is None and self.valid_from is not None:
            return FOREVER
        return self.valid_to


@dataclass(frozen=True, slots=True)
class Stored:
    """A statement as the graph holds it, without its text; times in µs.

    ``competes`` says whether it is a candidate; ``observed_at`` is the newest tx at which the
    source was seen saying the same, ``observed_from`` the start which that observation would have
    had.
    ``copy_of`` names the version whose text a materialised observation takes over.
    """

    tx: int
    valid_from: int
    valid_to: int
    valid_from_rule: FromRule
    text_sha256: str | None
    corrects_tx: int | None
    override_only: bool
    competes: bool
    observed_at: int
    observed_from: int
    removal: Removal | None = None
    copy_of: int | None = None

    @property
    def ends(self) -> bool:
        """Whether this is an end: the source says nothing from here on."""
        return self.text_sha256 is None

    @property
    def stands(self) -> bool:
        """Whether it still counts in the chain: not withdrawn, not cascaded."""
        return self.removal is None or self.removal in LEAVES_BLANK

    @property
    def candidate(self) -> Candidate | None:
        """What competes for tiles in its name, blank where it means "no winner"."""
        if not self.competes:
            return None
        blank = self.ends or self.removal is not None
        return Candidate(self.tx, self.valid_from, self.valid_to, blank)


def given_tx(stated: int | None, *, clock: int, last: int) -> int:
    """Return the tx (µs) of an arriving statement: stated, else ``max(clock, last + 1)``.

    A stated one ahead of the clock by under five minutes counts as not stated. Raises ``Invalid``
    ``TX_IN_FUTURE`` beyond that.
    """
    if stated is not None and stated <= clock:
        return stated
    if stated is not None and stated - clock >= SKEW:
        raise Invalid(
            "TX_IN_FUTURE",
            f"{stated} is five minutes or more ahead of the clock ({clock})",
            field="tx",
            hint="A tx names when a version was made; a validity in the future is valid_from.",
        )
    return max(clock, last + 1)


def checked_window(valid_from: int, valid_to: int) -> tuple[int, int]:
    """Return the window; raise ``Invalid`` ``WINDOW_EMPTY`` unless ``valid_from < valid_to``."""
    if valid_from < valid_to:
        return valid_from, valid_to
    raise Invalid(
        "WINDOW_EMPTY",
        f"valid_from {valid_from} is not before valid_to {valid_to}",
        field="valid_to",
        hint="A window is half-open: it holds from valid_from until just before valid_to.",
    )


def window(statement: Statement, below: Stored | None, target: Stored | None) -> Stored:
    """Return the statement as it would be stored, its window and its rule resolved.

    ``below`` is the newest statement under it in tx order, ``target`` the one it corrects. Whether
    it ``competes`` is decided by the chain. Raises ``Invalid`` ``WINDOW_EMPTY``.
    """
    start, rule = _start(statement, below, target)
    inherited = target.valid_to if target is not None else FOREVER
    end = inherited if statement.stated_to is None else statement.stated_to
    start, end = checked_window(start, end)
    return Stored(
        tx=statement.tx,
        valid_from=start,
        valid_to=end,
        valid_from_rule=rule,
        text_sha256=statement.text_sha256,
        corrects_tx=statement.corrects,
        override_only=False,
        competes=True,
        observed_at=statement.tx,
        observed_from=start,
    )


def _start(
    statement: Statement, below: Stored | None, target: Stored | None
) -> tuple[int, FromRule]:
    if statement.valid_from is not None:
        return statement.valid_from, FromRule.STATED
    if target is not None:
        return target.valid_from, FromRule.CORRECTED
    if statement.imported_from is not None:
        return statement.imported_from, FromRule.IMPORTED
    if statement.source_ts is None or statement.source_ts >= statement.tx:
        return statement.tx, FromRule.TX
    floor = below.valid_from if below and below.valid_from_rule is FromRule.TX else 0
    if floor > statement.source_ts:
        return floor, FromRule.TX  # never above the tx: it is at most that of the one below
    return statement.source_ts, FromRule.SOURCE_TS
