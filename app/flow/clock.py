"""Clocks: the real one, and the settable one that a local or test stack keeps in its graph."""

import time
from dataclasses import dataclass

from app.graph.queries import clock as q
from app.ports import Clock, Store


class RealClock:
    """The machine's clock in µs."""

    def now(self) -> int:
        """Return the present instant in µs."""
        return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class SettableClock:
    """The real clock moved by the offset that the graph keeps, the same for every process."""

    store: Store
    real: Clock

    def now(self) -> int:
        """Return the present instant of the stack in µs."""
        [offset] = self.store.read(q.READ_OFFSET)
        return max(0, self.real.now() + offset.offset_us)

    def set(self, instant: int | None) -> int:
        """Let it be ``instant`` (µs) now, and go on from there; ``None`` sets the real time."""
        offset = 0 if instant is None else instant - self.real.now()
        self.store.write(lambda tx: tx.run(q.SET_OFFSET, offset_us=offset))
        return self.now()
