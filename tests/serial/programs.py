"""What threads do in a history, drawn from its seed: some kinds, each with races of its own."""

import random
from collections.abc import Callable
from itertools import count

from app.core.instants import DAY, HOUR
from tests.flow.ledger import Bind, Cascade, Says, Step, Withdraw
from tests.model.judge import Made
from tests.serial.operations import (
    Check,
    CheckLeased,
    Clarify,
    Delete,
    Dispatch,
    Do,
    DoBoth,
    FinishJob,
    Operation,
    RunJob,
    Save,
    Sweep,
    TakeLease,
)
from tests.serial.stage import START, Programs, Scene

A, B = ("a", 0), ("b", HOUR)  # the versions that are there before, by source and tx
PENDING = (Made((A,), pending=("q1",)), Made((B,)))
BOTH = (Made((A, B)),)
ONE = (Made((A,)),)


class Draw:
    """Draws operations; the clock goes on with each."""

    def __init__(self, seed: object) -> None:
        self.chance = random.Random(str(seed))
        self.ticks = count(START, 1000)
        self.serials = count(1)

    def tick(self) -> int:
        return next(self.ticks) + self.chance.randrange(3000)

    def write(self) -> Operation:
        return Do(self.chance.choice("aab"), self._step(), self.tick())

    def says(self) -> Operation:
        return Do(self.chance.choice("ab"), Says(self.chance.choice("AB") + "2"), self.tick())

    def both(self) -> Operation:
        return DoBoth(self.chance.choice("AB") + "2", self.tick())

    def clarify(self) -> Operation:
        state = self.chance.choice(["bound", "withdrawn", "withdrawn", "conflicted", "open"])
        return Clarify("q1", state, "a", self.tick())

    def check(self, answers: int) -> Operation:
        return Check(self.chance.randrange(answers), self.tick())

    def job(self) -> list[Operation]:
        now = self.chance.randrange(6)
        lease = TakeLease(now, now + self.chance.choice([1, 2, 9]), next(self.serials))
        return [lease, CheckLeased(self.tick()), FinishJob(self.tick())]

    def some(self, most: int, *makes: Callable[[], Operation]) -> list[Operation]:
        return [self.chance.choice(makes)() for _ in range(self.chance.randint(1, most))]

    def _step(self) -> Step:
        text = self.chance.choice("ABC") + "2"
        start = self.chance.randrange(30, 50) * HOUR
        match self.chance.randrange(12):
            case 0 | 1:
                return Says(text, valid_from=start, valid_to=start + 4 * HOUR)
            case 2:
                return Says(text, tx=self.chance.randrange(2, 30) * HOUR)
            case 3:
                return Says(text, corrects=0)
            case 4:
                return Withdraw(0)
            case 5:
                return Bind(0)
            case 6:
                return Says(None)
            case 7:
                return Cascade()
            case _:
                return Says(text)


def writers(draw: Draw) -> tuple[Scene, Programs]:
    """Writers of the same two sources."""
    scene = Scene(claims=(BOTH,), saved=1, lost=0.05)
    return scene, [draw.some(4, draw.write, draw.write, draw.both) for _ in range(3)]


def checks(draw: Draw) -> tuple[Scene, Programs]:
    """Checks of the same answers beside writers of all that these rest on."""
    scene = Scene(claims=(PENDING, BOTH), saved=2, asked=True, lost=0.03)
    changes = [
        draw.some(4, draw.both, draw.clarify, draw.write),
        draw.some(2, draw.says, draw.clarify),
    ]
    return scene, [*changes, *(draw.some(3, lambda: draw.check(2)) for _ in range(2))]


def rivals(draw: Draw) -> tuple[Scene, Programs]:
    """Checks of one answer at once, while what it rests on moves."""
    scene = Scene(claims=(BOTH,), saved=1)
    lanes = range(draw.chance.randint(1, 3))
    rivals = [draw.some(draw.chance.choice([1, 1, 2]), lambda: draw.check(1)) for _ in lanes]
    return scene, [draw.some(draw.chance.choice([1, 2]), draw.says, draw.both), *rivals]


def saves(draw: Draw) -> tuple[Scene, Programs]:
    """Saves of few traces under a small cap, and deletes of what was saved before."""
    saved = draw.chance.choice([0, 0, 1])
    scene = Scene(claims=(ONE, BOTH, ()), saved=saved, cap=2, lost=0.05)

    def act() -> Operation:
        if saved and draw.chance.random() < 0.4:
            return Delete(0, draw.tick())
        return Save(draw.chance.randrange(3), draw.tick())

    return scene, [draw.some(3, act) for _ in range(4)]


def leases(draw: Draw) -> tuple[Scene, Programs]:
    """Workers whose leases run out soon, beside a writer."""
    scene = Scene(claims=(ONE, BOTH), saved=2, settled=False)
    workers = [draw.job() + (draw.job() if draw.chance.random() < 0.3 else []) for _ in range(3)]
    return scene, [*workers, draw.some(2, draw.says)]


def dispatches(draw: Draw) -> tuple[Scene, Programs]:
    """Writers that dispatch at once: no change is lost, none is followed twice."""
    scene = Scene(claims=(ONE, BOTH), saved=2, lost=0.03)

    def write_and_dispatch() -> list[Operation]:
        return [draw.says(), *draw.some(3, draw.says, lambda: Dispatch(draw.tick()))]

    return scene, [write_and_dispatch() for _ in range(4)]


def sweeps(draw: Draw) -> tuple[Scene, Programs]:
    """Sweeps and their jobs, all of them late enough for an answer to be due, beside a writer."""
    draw.ticks = count(START + 8 * DAY, 1000)
    scene = Scene(claims=(BOTH,), saved=1, lost=0.02)

    def sweeper() -> list[Operation]:
        follow = draw.some(1, lambda: Dispatch(draw.tick()), lambda: Sweep(draw.tick()))
        return [Sweep(draw.tick()), RunJob(draw.tick()), *follow, RunJob(draw.tick())]

    return scene, [sweeper(), sweeper(), draw.some(3, draw.says, draw.both)]


KINDS = {
    make.__name__: make for make in (writers, checks, rivals, saves, leases, dispatches, sweeps)
}


def drawn(kind: str, seed: int) -> tuple[Scene, Programs]:
    """Return the scene and the programs of one history."""
    return KINDS[kind](Draw(f"{kind}/{seed}"))
