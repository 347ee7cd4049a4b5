"""DESIGN §4 read literally and slowly: a list of statements, everything recomputed each time.

Beyond the letter it holds what docs/decisions/0001 decides: an observation never hides a revert
and never stretches a closed window. It also holds that a version which was still to begin when a
statement was made does not already say it, and that what was seen keeps speaking for what it said.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from app.core.errors import TelhaError
from app.core.instants import FOREVER
from app.core.statements import LEAVES_BLANK, Removal, Statement, Stored
from app.core.winner import Candidate


class Refused(Exception):
    """``args[0]`` is the code."""


@dataclass(frozen=True)
class Line:
    """A statement as the book holds it; ``text`` is ``None`` for an end."""

    tx: int
    text: str | None
    start: int
    end: int
    by_tx: bool = False
    corrects: int | None = None
    own: bool = False
    observed_at: int = -1
    observed_from: int = -1
    removal: Removal | None = None

    @property
    def stands(self) -> bool:
        return self.removal is None or self.removal in LEAVES_BLANK


@dataclass
class Book:
    """One source."""

    lines: list[Line] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)  # an observation's tx, and whose it is
    forgotten: set[int] = field(default_factory=set)  # observations that left no trace

    def at(self, tx: int) -> Line | None:
        return next((line for line in self.lines if line.tx == tx), None)

    def competes(self, line: Line) -> bool:
        if line.own or not line.stands or self._naming(line.tx):
            return False
        return line.corrects is None or line.tx == max(
            other.tx for other in self._naming(line.corrects)
        )

    def competing(self) -> set[int]:
        return {line.tx for line in self.lines if self.competes(line)}

    def winner(self, at: int) -> int | None:
        covering = [
            line for line in self.lines if self.competes(line) and line.start <= at < line.end
        ]
        if not covering:
            return None
        first = max(covering, key=lambda line: (line.start, line.tx))
        return None if first.text is None or first.removal is not None else first.tx

    def take(self, said: Statement) -> str:
        same = self.at(said.tx)
        if same is not None:
            return self._duplicate(same, said)
        new = self._windowed(said)
        old = None if said.corrects is not None or new.text is None else self._twin(said, new)
        if old is not None:
            self.seen[said.tx] = old.tx
        if old is not None and old.removal is not None:
            return "duplicate"
        if old is not None:
            if said.tx > old.observed_at:
                self._put(replace(old, observed_at=said.tx, observed_from=new.start))
            return "observed"
        self._make_room(said)
        if said.corrects is None and said.valid_from is not None and new.text is not None:
            newest = self._newest_from(new.start)
            if newest and newest.removal is None and newest.text == new.text:
                new = replace(new, corrects=newest.tx if newest.tx < new.tx else None)
        self._append(new)
        return "stored"

    def take_own_text(self, tx: int, text: str, start: int, end: int) -> None:
        below = self._below(tx)
        if self.at(tx) is not None or (below is not None and below.observed_at == tx):
            raise Refused("TX_CONFLICT")
        self._append(Line(tx, text, start, end, own=True, observed_at=tx, observed_from=start))

    def remove(self, tx: int, removal: Removal) -> bool:
        line = self.at(tx)
        assert line is not None
        if line.removal is not None:
            return False
        self._put(replace(line, removal=removal))
        return True

    # Reading

    def _naming(self, tx: int) -> list[Line]:
        return [line for line in self.lines if line.corrects == tx and line.stands]

    def _below(self, tx: int) -> Line | None:
        lower = [line for line in self.lines if line.tx < tx and not line.own]
        return max(lower, key=lambda line: line.tx, default=None)

    def _newest_from(self, start: int) -> Line | None:
        here = [line for line in self.lines if line.start == start and self.competes(line)]
        return max(here, key=lambda line: line.tx, default=None)

    # What becomes of a statement

    def _duplicate(self, same: Line, said: Statement) -> str:
        states_start = said.valid_from is not None
        end = FOREVER if said.valid_to is None and states_start else said.valid_to
        differs = (
            same.own
            or same.text != said.text_sha256
            or said.valid_from not in (None, same.start)
            or end not in (None, same.end)
            or said.corrects not in (None, same.corrects)
        )
        if differs:
            raise Refused("TX_CONFLICT")
        return "duplicate"

    def _windowed(self, said: Statement) -> Line:
        target = self._target(said)
        start, by_tx = self._start(said, target)
        if said.valid_to is not None:
            end = said.valid_to
        elif target is not None and said.valid_from is None:
            end = target.end
        else:
            end = FOREVER
        if start >= end:
            raise Refused("WINDOW_EMPTY")
        return Line(
            said.tx,
            said.text_sha256,
            start,
            end,
            by_tx,
            said.corrects,
            observed_at=said.tx,
            observed_from=start,
        )

    def _target(self, said: Statement) -> Line | None:
        if said.corrects is None:
            return None
        if said.corrects >= said.tx:
            raise Refused("CORRECTED_NOT_EARLIER")
        target = self.at(said.corrects)
        if target is None:
            raise Refused("CORRECTED_UNKNOWN")
        if target.own:
            raise Refused("CORRECTED_OVERRIDE")
        return target

    def _start(self, said: Statement, target: Line | None) -> tuple[int, bool]:
        if said.valid_from is not None:
            return said.valid_from, False
        if target is not None:
            return target.start, False
        if said.imported_from is not None:
            return said.imported_from, False
        default = said.tx if said.source_ts is None else min(said.source_ts, said.tx)
        below = self._below(said.tx)
        floor = below.start if below is not None and below.by_tx else 0
        start = min(max(default, floor), said.tx)
        return start, start == said.tx or start > default

    def _twin(self, said: Statement, new: Line) -> Line | None:
        if said.valid_from is None:
            below = self._below(said.tx)
            first = below if below is not None and below.start <= said.tx else None
            among = [first] if first else []
        else:
            first = self._newest_from(new.start)
            among = [line for line in self.lines if line.start == new.start and not line.own]
        among = [line for line in among if (line.text, line.end) == (new.text, new.end)]
        if first is not None and first in among and first.removal is None:
            return first
        speaking = [line for line in among if line.observed_at >= said.tx]
        return max(speaking, key=lambda line: line.tx, default=None)

    def _make_room(self, said: Statement) -> None:
        near = [self._below(said.tx)]
        if said.valid_from is not None:
            near.append(self._newest_from(said.valid_from))
        later = [line for line in near if line and line.tx < said.tx <= line.observed_at]
        if any(line.observed_at == said.tx for line in later):
            raise Refused("TX_CONFLICT")
        for line in later:
            if self.at(line.observed_at) is None:
                self._materialise(line)

    def _materialise(self, line: Line) -> None:
        by_tx = line.observed_from == line.observed_at or line.by_tx
        again = replace(
            line, tx=line.observed_at, start=line.observed_from, by_tx=by_tx, corrects=None
        )
        self._put(replace(line, observed_at=line.tx, observed_from=line.start))
        self.lines.append(again)
        self.forgotten |= {tx for tx, whose in self.seen.items() if whose == line.tx}
        self.forgotten -= {again.tx}

    def _append(self, new: Line) -> None:
        """Only an observation's newest tx is kept; an older one may be given to something else."""
        self.forgotten |= {new.tx} & self.seen.keys()
        self.lines.append(new)

    def _put(self, new: Line) -> None:
        self.lines = [new if line.tx == new.tx else line for line in self.lines]


def code_of(refused: TelhaError | Refused) -> str:
    return refused.code if isinstance(refused, TelhaError) else str(refused.args[0])


def as_line(stored: Stored) -> Line:
    return Line(
        stored.tx,
        stored.text_sha256,
        stored.valid_from,
        stored.valid_to,
        stored.valid_from_rule == "tx",
        stored.corrects_tx,
        stored.override_only,
        stored.observed_at,
        stored.observed_from,
        stored.removal,
    )


def winner_of(candidates: Iterable[Candidate], at: int) -> int | None:
    covering = [c for c in candidates if c.valid_from <= at < c.valid_to]
    if not covering:
        return None
    first = max(covering, key=lambda c: (c.valid_from, c.tx))
    return None if first.blank else first.tx


# What the store loads for a chain, row by row as cypher/ingest/read_neighbours and read_family do


def neighbours(store: dict[int, Stored], said: Statement) -> list[Stored]:
    held = store.values()
    below = [s for s in held if s.tx < said.tx and not s.override_only]
    here = [s for s in held if s.valid_from == said.valid_from]
    saying = [
        s
        for s in here
        if (s.text_sha256, s.valid_to) == (said.text_sha256, said.stated_to)
        and s.observed_at >= said.tx
        and not s.override_only
    ]
    found = [
        store.get(said.tx),
        max(below, key=_tx, default=None),
        max((s for s in here if s.competes), key=_tx, default=None),
        max(saying, key=_tx, default=None),
    ]
    near = {s.tx: s for s in found if s is not None}
    seen = {s.observed_at for s in near.values()} & store.keys()
    return list((near | {tx: store[tx] for tx in seen}).values())


def family(store: dict[int, Stored], tx: int) -> list[Stored]:
    """Two steps of correction up, two down again."""
    if tx not in store:
        return []
    reached = {tx}
    for _ in range(2):
        reached |= {
            up for tx in reached if (up := store[tx].corrects_tx) is not None and up in store
        }
    for _ in range(2):
        reached |= {s.tx for s in store.values() if s.corrects_tx in reached}
    return [store[tx] for tx in reached]


def _tx(stored: Stored) -> int:
    return stored.tx
