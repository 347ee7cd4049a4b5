"""A store whose statements wait a little at random, and whose replies get lost, by a seed."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from app.graph.catalog import Query
from app.ports import Store, Tx
from tests.fakes import Broken, OneByOne

R = TypeVar("R")
T = TypeVar("T")


@dataclass
class Pace:
    """How statements are spread in time: mostly at once, sometimes late, seldom much later."""

    chance: random.Random
    lost: float = 0.0

    def wait(self) -> None:
        drawn = self.chance.random()
        if drawn < 0.08:
            time.sleep(self.chance.uniform(0.02, 0.06))
        elif drawn < 0.4:
            time.sleep(self.chance.uniform(0.0, 0.01))

    def breaks(self) -> bool:
        """Whether a transaction fails, half of them after they were committed."""
        return self.chance.random() < self.lost


@dataclass
class PacedStore(OneByOne):
    """A store that keeps a pace; ``lossy`` transactions may fail before or after their commit."""

    store: Store
    pace: Pace
    lossy: bool = False

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        self.pace.wait()
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        breaks = self.lossy and self.pace.breaks()
        early = breaks and self.pace.chance.random() < 0.5

        def paced(tx: Tx) -> T:
            done = work(_PacedTx(tx, self.pace))
            self.pace.wait()
            if early:
                raise Broken
            return done

        self.pace.wait()
        done = self.store.write(paced)
        if breaks:
            raise Broken
        return done


@dataclass
class _PacedTx:
    tx: Tx
    pace: Pace

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        self.pace.wait()
        return self.tx.run(query, **parameters)
