"""The chain of a source: what becomes of a statement, and which versions compete (DESIGN §4).

A ``Chain`` is loaded with the neighbours of what arrives, takes statements one after another, and
then tells what to write. It holds no text and knows no store.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from app.core.errors import Conflict, Invalid, NotFound
from app.core.statements import FromRule, Removal, Statement, Stored, window
from app.core.winner import Candidate


class Outcome(StrEnum):
    """What became of an arriving statement."""

    STORED = "stored"
    OBSERVED = "observed"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Edit:
    """A version that is new (``before`` is ``None``) or whose properties moved."""

    before: Stored | None
    after: Stored


class Chain:
    """The statements of one source that matter here, in tx order, overrides' own texts aside."""

    def __init__(self, loaded: Iterable[Stored]) -> None:
        self._before: dict[int, Stored] = {}
        self._now: dict[int, Stored] = {}
        self._order: list[int] = []
        self._starts: defaultdict[int, set[int]] = defaultdict(set)
        self._corrections: defaultdict[int, set[int]] = defaultdict(set)
        self.know(loaded)

    def know(self, loaded: Iterable[Stored]) -> None:
        """Add stored statements that were not loaded yet."""
        for stored in loaded:
            if stored.tx not in self._before:
                self._before[stored.tx] = stored
                self._insert(stored)

    def at(self, tx: int) -> Stored | None:
        """Return the statement at ``tx``, if it was loaded or has arrived."""
        return self._now.get(tx)

    def below(self, tx: int) -> Stored | None:
        """Return the newest statement under ``tx``, overrides' own texts left out."""
        place = bisect_left(self._order, tx)
        return self._now[self._order[place - 1]] if place else None

    def newest_from(self, valid_from: int) -> int | None:
        """Return the tx of the newest competing statement that starts there, as far as known."""
        here = (self._now[tx] for tx in self._starts[valid_from])
        return max((stored.tx for stored in here if stored.competes), default=None)

    def arrived(self, tx: int) -> bool:
        """Whether the statement at ``tx`` came after loading."""
        return tx in self._now and tx not in self._before

    def take(self, statement: Statement) -> tuple[Outcome, Stored]:
        """Take a version or an end; return what became of it and the version that speaks for it.

        Raises ``Conflict`` ``TX_CONFLICT`` where the tx is taken by other content, ``NotFound``
        ``CORRECTED_UNKNOWN`` and ``Invalid`` ``CORRECTED_NOT_EARLIER`` or ``WINDOW_EMPTY``.
        """
        same = self.at(statement.tx)
        if same is not None:
            return Outcome.DUPLICATE, _agreeing(same, statement)
        target = self._target(statement)
        below = self.below(statement.tx)
        arriving = window(statement, below, target)
        twin = None if target or arriving.ends else self._twin(statement, arriving, below)
        if twin is not None and twin.removal is not None:
            return Outcome.DUPLICATE, twin
        if twin is not None:
            return Outcome.OBSERVED, self._observe(twin, arriving)
        if below is not None and below.observed_at >= arriving.tx:
            self._split_observation(arriving, below)
        if target is None:
            arriving = replace(arriving, corrects_tx=self._narrowed(statement, arriving))
        self._insert(arriving)
        self._settle(arriving)
        return Outcome.STORED, self._now[arriving.tx]

    def take_own_text(self, tx: int, text_sha256: str, valid_from: int, valid_to: int) -> Stored:
        """Take the own text of an override: a version that can win only through it."""
        own = Stored(
            tx=tx,
            valid_from=valid_from,
            valid_to=valid_to,
            valid_from_rule=FromRule.STATED,
            text_sha256=text_sha256,
            corrects_tx=None,
            override_only=True,
            competes=False,
            observed_at=tx,
            observed_from=valid_from,
        )
        self._insert(own)
        return own

    def remove(self, tx: int, removal: Removal) -> bool:
        """Tombstone the version at ``tx``; return whether that changed anything."""
        stored = self._now[tx]
        if stored.removal is not None:
            return False
        self._now[tx] = replace(stored, removal=removal)
        self._settle(stored)
        return True

    def edits(self) -> list[Edit]:
        """Return what is new or changed since loading, in tx order."""
        pairs = ((self._before.get(tx), self._now[tx]) for tx in sorted(self._now))
        return [Edit(before, after) for before, after in pairs if before != after]

    def shifts(self) -> Iterator[tuple[Candidate | None, Candidate | None]]:
        """Yield the candidates that appeared, vanished or changed, as (before, after)."""
        for edit in self.edits():
            before = edit.before.candidate if edit.before else None
            if before != edit.after.candidate:
                yield before, edit.after.candidate

    def _target(self, statement: Statement) -> Stored | None:
        if statement.corrects is None:
            return None
        if statement.corrects >= statement.tx:
            raise Invalid(
                "CORRECTED_NOT_EARLIER",
                f"{statement.corrects} is not before the correction's own tx {statement.tx}",
                field="corrects",
            )
        target = self.at(statement.corrects)
        if target is None:
            raise NotFound(
                "CORRECTED_UNKNOWN",
                f"this source has no version at {statement.corrects}",
                field="corrects",
            )
        if target.override_only:
            raise Invalid(
                "CORRECTED_OVERRIDE",
                f"the version at {statement.corrects} is an override's own text",
                field="corrects",
                hint="Set another override, or release that one.",
            )
        return target

    def _twin(self, statement: Statement, arriving: Stored, below: Stored | None) -> Stored | None:
        """Return the version that already says this: seen again, or a replay of a removed one."""
        if statement.valid_from is not None:
            twin = self._newest_from(arriving, same_end=True)
        elif statement.valid_to is None and below is not None:
            twin = below if _says(below, arriving, same_end=True) else None
        else:
            twin = None
        if twin is not None and twin.removal is not None and arriving.tx > twin.observed_at:
            return None
        return twin

    def _newest_from(self, arriving: Stored, *, same_end: bool) -> Stored | None:
        """Return the newest competing statement with this start, if it says the same text.

        A later statement with the same start displaces it, so saying the older one again is a
        revert and no observation. A removed one counts only where this can be its replay.
        """
        here = [self._now[tx] for tx in self._starts[arriving.valid_from]]
        newest = max((s for s in here if s.competes), key=_tx, default=None)
        if newest is not None and newest.removal is None and _says(newest, arriving, same_end):
            return newest
        gone = (s for s in here if s.removal is not None and s.observed_at >= arriving.tx)
        return max(
            (s for s in gone if same_end and _says(s, arriving, True)), key=_tx, default=None
        )

    def _narrowed(self, statement: Statement, arriving: Stored) -> int | None:
        """Return the tx of the version whose end alone this statement restates: a correction."""
        if arriving.ends or statement.valid_from is None:
            return None
        newest = self._newest_from(arriving, same_end=False)
        return newest.tx if newest is not None and newest.tx < arriving.tx else None

    def _observe(self, twin: Stored, arriving: Stored) -> Stored:
        if arriving.tx > twin.observed_at:
            twin = replace(twin, observed_at=arriving.tx, observed_from=arriving.valid_from)
            self._now[twin.tx] = twin
        return twin

    def _split_observation(self, arriving: Stored, below: Stored) -> None:
        """Turn an observation newer than ``arriving`` into a version of its own."""
        if below.observed_at == arriving.tx:
            raise _conflict(arriving.tx)
        if below.removal is not None:
            return
        self._now[below.tx] = replace(below, observed_at=below.tx, observed_from=below.valid_from)
        again = replace(
            below,
            tx=below.observed_at,
            valid_from=below.observed_from,
            corrects_tx=None,
            competes=True,
            copy_of=below.tx,
        )
        self._insert(again)

    def _insert(self, stored: Stored) -> None:
        self._now[stored.tx] = stored
        self._starts[stored.valid_from].add(stored.tx)
        if stored.corrects_tx is not None:
            self._corrections[stored.corrects_tx].add(stored.tx)
        if not stored.override_only:
            insort(self._order, stored.tx)

    def _settle(self, moved: Stored) -> None:
        """Decide anew which of the versions that ``moved`` can affect compete."""
        family = {moved.tx}
        if moved.corrects_tx is not None:
            family |= {moved.corrects_tx} | self._corrections[moved.corrects_tx]
        for stored in (self._now[tx] for tx in family if tx in self._now):
            self._now[stored.tx] = replace(stored, competes=self._competes(stored))

    def _competes(self, stored: Stored) -> bool:
        if stored.override_only or not stored.stands or self._standing_naming(stored.tx):
            return False
        if stored.corrects_tx is None:
            return True
        return stored.tx == max(self._standing_naming(stored.corrects_tx))

    def _standing_naming(self, tx: int) -> set[int]:
        return {t for t in self._corrections[tx] if self._now[t].stands}


def _tx(stored: Stored) -> int:
    return stored.tx


def _says(stored: Stored, arriving: Stored, same_end: bool) -> bool:
    if stored.ends or stored.text_sha256 != arriving.text_sha256:
        return False
    return stored.valid_to == arriving.valid_to if same_end else True


def _agreeing(stored: Stored, statement: Statement) -> Stored:
    stated = (
        (statement.valid_from, stored.valid_from),
        (statement.valid_to, stored.valid_to),
        (statement.corrects, stored.corrects_tx),
    )
    if (
        stored.override_only
        or stored.text_sha256 != statement.text_sha256
        or any(said is not None and said != held for said, held in stated)
    ):
        raise _conflict(statement.tx)
    return stored


def _conflict(tx: int) -> Conflict:
    return Conflict(
        "TX_CONFLICT",
        f"tx {tx} of this source is taken by other content; nothing was changed",
        field="tx",
        hint="State another tx, or correct the stored version by naming it in 'corrects'.",
    )
