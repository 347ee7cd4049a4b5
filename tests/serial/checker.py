"""Is a history serial: could its operations have happened one by one, each within its own time?

The search of Wing and Gong: of what has not happened yet, whatever began before all others ended
may be next; it must answer as it did. An operation whose outcome is unknown may happen at any time
after it began, or never. What was tried once is not tried again.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

UNKNOWN = "unknown"


class State(Protocol):
    """A pure model's state, copied before each step."""

    def copy(self) -> Self: ...

    def key(self) -> Hashable: ...


S = TypeVar("S", bound=State)
C_contra = TypeVar("C_contra", bound=State, contravariant=True)


class Operation(Protocol[C_contra]):
    """What somebody asked for."""

    def explains(self, state: C_contra, told: object) -> bool:
        """Do it on ``state``; tell whether it would have answered so. ``UNKNOWN`` fits always."""
        ...


@dataclass(frozen=True)
class Event(Generic[S]):
    """An operation from its call to its answer, by one clock; ``told`` is the answer."""

    operation: Operation[S]
    called: int
    answered: int
    told: object


def explained(events: Sequence[Event[S]], state: S) -> list[Event[S]] | None:
    """Return a serial order of ``events`` that explains every answer, or ``None``."""
    order: list[Event[S]] = []
    tried: set[tuple[frozenset[int], Hashable]] = set()

    def search(left: frozenset[int], state: S) -> bool:
        if all(events[n].told == UNKNOWN for n in left):
            return True
        if (left, state.key()) in tried:
            return False
        tried.add((left, state.key()))
        first = min(events[n].answered for n in left if events[n].told != UNKNOWN)
        for nth in sorted(left, key=lambda n: events[n].answered):
            event = events[nth]
            after = state.copy()
            if event.called <= first and event.operation.explains(after, event.told):
                order.append(event)
                if search(left - {nth}, after):
                    return True
                order.pop()
        return False

    return order if search(frozenset(range(len(events))), state) else None
