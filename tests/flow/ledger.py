"""DESIGN §4 read literally, slowly: a list of statements, and who wins by looking at all of them.

Where its letter leaves a choice, this is the reading. A stated window is an observation only of the
newest competing statement with that start: an older one was displaced, so saying it again is a
revert. A statement without a start is one only of the statement below, if that had begun. What was
seen saying the same at a later tx speaks for a replay, displaced or tombstoned. And what arrives
below an observation turns it into a version, be it of the statement below or, where a start is
stated, of the newest from there.
"""

from dataclasses import dataclass, replace

from app.core.instants import FOREVER, MINUTE


class Refused(Exception):
    """The statement cannot be taken; ``args[0]`` is the code."""


@dataclass(frozen=True)
class Says:
    """A statement as it arrives: ``text`` is ``None`` for an end."""

    text: str | None
    tx: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    source_ts: int | None = None
    corrects: int | None = None


@dataclass(frozen=True)
class Withdraw:
    """Tombstone the version at ``tx``."""

    tx: int


@dataclass(frozen=True)
class Cascade:
    """Tombstone all versions."""


@dataclass(frozen=True)
class Bind:
    """Set an override: it binds the version at ``tx``, or brings its own text where none is."""

    tx: int | None
    valid_from: int | None = None
    valid_to: int | None = None


@dataclass(frozen=True)
class Release:
    """Release the override at ``tx``."""

    tx: int


Step = Says | Withdraw | Cascade | Bind | Release
OWN_TEXT = "own"
AHEAD = 5 * MINUTE  # a stated tx less than that ahead of the clock counts as not stated


@dataclass(frozen=True)
class Held:
    """A stored statement."""

    tx: int
    start: int
    end: int
    text: str | None
    by_tx: bool
    corrects: int | None = None
    own: bool = False
    observed_at: int = 0
    observed_from: int = 0
    gone: bool = False


@dataclass(frozen=True)
class Bound:
    """An override."""

    tx: int
    bound_tx: int
    start: int
    end: int
    released: bool = False


@dataclass
class Ledger:
    """One source."""

    held: list[Held]
    bound: list[Bound]
    last: int = -1

    def copy(self) -> "Ledger":
        return Ledger(list(self.held), list(self.bound), self.last)

    # Who wins

    def winner(self, at: int) -> int | None:
        active, first = self.active(at), self.first(at)
        if active is not None:
            return active.bound_tx
        return None if first is None or first.text is None else first.tx

    def active(self, at: int) -> Bound | None:
        """The override that decides at an instant."""
        covering = [b for b in self.bound if self.holds(b) and b.start <= at < b.end]
        return max(covering, key=lambda b: b.tx, default=None)

    def holds(self, bound: Bound) -> bool:
        return not bound.released and not any(h.gone for h in self.held if h.tx == bound.bound_tx)

    def first(self, at: int) -> Held | None:
        """The candidate, a version or an end, that ranks first at an instant."""
        covering = [h for h in self.held if self.competes(h) and h.start <= at < h.end]
        return max(covering, key=lambda h: (h.start, h.tx), default=None)

    def competes(self, held: Held) -> bool:
        if held.own or held.gone or self._naming(held.tx):
            return False
        return held.corrects is None or held.tx == max(h.tx for h in self._naming(held.corrects))

    def boundaries(self) -> list[int]:
        ends = {point for h in self.held for point in (h.start, h.end)}
        ends |= {point for b in self.bound for point in (b.start, b.end)}
        near = {point + step for point in ends | {0} for step in (-1, 0, 1)}
        return sorted(point for point in near if 0 <= point < FOREVER)

    def _naming(self, tx: int) -> list[Held]:
        return [h for h in self.held if h.corrects == tx and not h.gone]

    # What becomes of a step

    def do(self, step: Step, clock: int) -> str | int:
        """Do one step at a clock; return its outcome, or raise ``Refused``."""
        if self.last < 0 and not isinstance(step, Says):
            raise Refused("SOURCE_UNKNOWN")
        match step:
            case Says():
                return self._say(step, clock)
            case Withdraw(tx):
                return self._withdraw(tx)
            case Cascade():
                return self._cascade()
            case Bind():
                return self._bind(step, clock)
            case Release(tx):
                self.bound = [replace(b, released=b.released or b.tx == tx) for b in self.bound]
                return tx

    def _say(self, says: Says, clock: int) -> str:
        if says.tx is not None and says.tx >= clock + AHEAD:
            raise Refused("TX_IN_FUTURE")
        tx = says.tx if says.tx is not None and says.tx <= clock else max(clock, self.last + 1)
        outcome = self._take(says, tx)
        self.last = max(self.last, tx)
        return outcome

    def _take(self, says: Says, tx: int) -> str:
        same = self.at(tx)
        if same is not None:
            return self._duplicate(same, says)
        new = self._windowed(says, tx)
        seen = None if says.corrects is not None or says.text is None else self._seen(says, new)
        if seen is not None:
            if seen.gone:
                return "duplicate"
            if tx > seen.observed_at:
                self._put(replace(seen, observed_at=tx, observed_from=new.start))
            return "observed"
        self._make_room(says, tx)
        if says.corrects is None and says.valid_from is not None and says.text is not None:
            twin = self._newest_from(new.start)
            if twin is not None and twin.text == new.text and twin.tx < tx:
                new = replace(new, corrects=twin.tx)
        self.held.append(new)
        return "stored"

    def _duplicate(self, same: Held, says: Says) -> str:
        opens = says.valid_from is not None and says.valid_to is None
        end = FOREVER if opens else says.valid_to
        stated = ((says.valid_from, same.start), (end, same.end), (says.corrects, same.corrects))
        if same.own or same.text != says.text or any(s not in (None, h) for s, h in stated):
            raise Refused("TX_CONFLICT")
        return "duplicate"

    def _windowed(self, says: Says, tx: int) -> Held:
        target = None
        if says.corrects is not None:
            target = self.at(says.corrects)
            if says.corrects >= tx:
                raise Refused("CORRECTED_NOT_EARLIER")
            if target is None:
                raise Refused("CORRECTED_UNKNOWN")
            if target.own:
                raise Refused("CORRECTED_OVERRIDE")
        start, by_tx = self._start(says, tx, target)
        end = FOREVER if says.valid_to is None else says.valid_to
        if target is not None and says.valid_from is None and says.valid_to is None:
            end = target.end
        if start >= end:
            raise Refused("WINDOW_EMPTY")
        return Held(
            tx, start, end, says.text, by_tx, says.corrects, observed_at=tx, observed_from=start
        )

    def _start(self, says: Says, tx: int, target: Held | None) -> tuple[int, bool]:
        if says.valid_from is not None:
            return says.valid_from, False
        if target is not None:
            return target.start, False
        if says.source_ts is None or says.source_ts >= tx:
            return tx, True
        below = self._below(tx)
        if below is not None and below.by_tx and below.start > says.source_ts:
            return min(below.start, tx), True
        return says.source_ts, False

    def _seen(self, says: Says, new: Held) -> Held | None:
        """The statement of which this is an observation, or a replay."""
        if says.valid_from is None:
            below = self._below(new.tx)
            newest = below if below is not None and below.start <= new.tx else None
            said = [newest] if newest is not None else []
        else:
            newest = self._newest_from(new.start)
            said = [h for h in self.held if h.start == new.start and not h.own]
        if newest is not None and not newest.gone and same_words(newest, new):
            return newest
        later = [h for h in said if h.observed_at >= new.tx and same_words(h, new)]
        return max(later, key=lambda h: h.tx, default=None)

    def _make_room(self, says: Says, tx: int) -> None:
        near = [self._below(tx)]
        if says.valid_from is not None:
            near.append(self._newest_from(says.valid_from))
        seen = [h for h in dict.fromkeys(near) if h is not None and h.tx < tx <= h.observed_at]
        if any(h.observed_at == tx for h in seen):
            raise Refused("TX_CONFLICT")
        for h in seen:
            if self.at(h.observed_at) is None:
                self._put(replace(h, observed_at=h.tx, observed_from=h.start))
                again = replace(h, tx=h.observed_at, start=h.observed_from, corrects=None)
                by_tx = h.by_tx or h.observed_from == h.observed_at
                self.held.append(replace(again, by_tx=by_tx))

    def _withdraw(self, tx: int) -> int:
        found = self.at(tx)
        if found is None:
            raise Refused("VERSION_UNKNOWN")
        self._put(replace(found, gone=True))
        return 0 if found.gone else 1

    def _cascade(self) -> int:
        standing = [h for h in self.held if not h.gone]
        self.held = [replace(h, gone=True) for h in self.held]
        return len(standing)

    def _bind(self, bind: Bind, clock: int) -> int:
        tx = max(clock, self.last + 1)
        start, end = tx, FOREVER
        if bind.tx is not None:
            found = self.at(bind.tx)
            if found is None:
                raise Refused("VERSION_UNKNOWN")
            if found.text is None or found.gone:
                raise Refused("NOT_BINDABLE")
            start, end = found.start, found.end
        if bind.valid_from is not None:
            start, end = bind.valid_from, FOREVER
        end = end if bind.valid_to is None else bind.valid_to
        if start >= end:
            raise Refused("WINDOW_EMPTY")
        if bind.tx is None:
            own = Held(
                tx, start, end, OWN_TEXT, by_tx=False, own=True, observed_at=tx, observed_from=start
            )
            self.held.append(own)
        self.bound.append(Bound(tx, tx if bind.tx is None else bind.tx, start, end))
        self.last = tx
        return tx

    # Looking

    def at(self, tx: int) -> Held | None:
        return next((h for h in self.held if h.tx == tx), None)

    def _below(self, tx: int) -> Held | None:
        lower = [h for h in self.held if h.tx < tx and not h.own]
        return max(lower, key=lambda h: h.tx, default=None)

    def _newest_from(self, start: int) -> Held | None:
        here = [h for h in self.held if h.start == start and self.competes(h)]
        return max(here, key=lambda h: h.tx, default=None)

    def _put(self, new: Held) -> None:
        self.held = [new if h.tx == new.tx else h for h in self.held]


def same_words(held: Held, new: Held) -> bool:
    return (held.text, held.end) == (new.text, new.end)
