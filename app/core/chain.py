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
        newest = self._newest_from(valid_from)
        return newest.tx if newest is not None else None

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
        self._make_room(statement, below)
        if target is None and (meant := self._narrowed(statement, arriving)) is not None:
            arriving = replace(arriving, corrects_tx=meant)
        self._insert(arriving)
        self._settle(arriving)
        return Outcome.STORED, self._now[arriving.tx]

    def take_own_text(self, tx: int, text_sha256: str, valid_from: int, valid_to: int) -> Stored:
        """Take the own text of an override: a version that can win only through it.

        Raises ``Conflict`` ``TX_CONFLICT`` where the tx is taken.
        """
        below = self.below(tx)
        if self.at(tx) is not None or (below is not None and below.observed_at == tx):
            raise _conflict(tx)
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
        """Return the version that already says this: seen again, or a replay of what it said.

        Without a stated start that is the one below, unless it was still to begin: that says less.
        With one it is the newest that competes from there, since it displaced the older ones: to
        say one of those again is a revert. Whatever was seen saying this at a later tx still
        speaks for it, displaced or removed.
        """
        if statement.valid_from is None:
            newest = below if below is not None and below.valid_from <= arriving.tx else None
            said = [newest] if newest is not None else []
        else:
            newest, said = self._newest_from(arriving.valid_from), self._from(arriving.valid_from)
        if newest is not None and newest.removal is None and _says(newest, arriving):
            return newest
        seen = (s for s in said if s.observed_at >= arriving.tx and _says(s, arriving))
        return max(seen, key=_tx, default=None)

    def _from(self, valid_from: int) -> list[Stored]:
        return [self._now[tx] for tx in self._starts[valid_from]]

    def _newest_from(self, valid_from: int) -> Stored | None:
        return max((s for s in self._from(valid_from) if s.competes), key=_tx, default=None)

    def _narrowed(self, statement: Statement, arriving: Stored) -> int | None:
        """Return the tx of the version whose end alone this statement restates: a correction."""
        if arriving.ends or statement.valid_from is None:
            return None
        newest = self._newest_from(arriving.valid_from)
        if newest is None or newest.removal is not None or newest.tx > arriving.tx:
            return None
        return newest.tx if newest.text_sha256 == arriving.text_sha256 else None

    def _observe(self, twin: Stored, arriving: Stored) -> Stored:
        if arriving.tx > twin.observed_at:
            twin = replace(twin, observed_at=arriving.tx, observed_from=arriving.valid_from)
            self._now[twin.tx] = twin
        return twin

    def _make_room(self, statement: Statement, below: Stored | None) -> None:
        """Turn observations newer than ``statement`` into versions, so that it wins only before.

        They are those of the statement below and, for a stated start, of the newest from there.
        """
        stated = statement.valid_from
        nearest = [below, self._newest_from(stated) if stated is not None else None]
        seen = {s.tx: s for s in nearest if s and s.tx < statement.tx <= s.observed_at}.values()
        if any(stored.observed_at == statement.tx for stored in seen):
            raise _conflict(statement.tx)
        for stored in seen:
            self._materialise(stored)

    def _materialise(self, seen: Stored) -> None:
        """Give the newest observation of ``seen`` a version of its own, tombstoned if it is."""
        if self.at(seen.observed_at) is not None:
            return
        by_tx = seen.observed_from == seen.observed_at
        again = replace(
            seen,
            tx=seen.observed_at,
            valid_from=seen.observed_from,
            valid_from_rule=FromRule.TX if by_tx else seen.valid_from_rule,
            corrects_tx=None,
            competes=seen.stands,
            copy_of=seen.tx,
        )
        self._now[seen.tx] = replace(seen, observed_at=seen.tx, observed_from=seen.valid_from)
        self._insert(again)

    def _insert(self, stored: Stored) -> None:
        self._now[stored.tx] = stored
        if stored.override_only:
            return
        insort(self._order, stored.tx)
        self._starts[stored.valid_from].add(stored.tx)
        if stored.corrects_tx is not None:
            self._corrections[stored.corrects_tx].add(stored.tx)

    def _settle(self, moved: Stored) -> None:
        """Decide anew which of the versions that ``moved`` can affect compete."""
        family = {moved.tx}
        if moved.corrects_tx is not None:
            family |= {moved.corrects_tx} | self._corrections[moved.corrects_tx]
        for stored in (self._now[tx] for tx in family if tx in self._now):
            competes = self._competes(stored)
            if competes != stored.competes:
                self._now[stored.tx] = replace(stored, competes=competes)

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


def _says(stored: Stored, arriving: Stored) -> bool:
    return (stored.text_sha256, stored.valid_to) == (arriving.text_sha256, arriving.valid_to)


def _agreeing(stored: Stored, statement: Statement) -> Stored:
    stated = (
        (statement.valid_from, stored.valid_from),
        (statement.stated_to, stored.valid_to),
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
