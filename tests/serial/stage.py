"""Runs a history: a tenant is set up, threads do their programs at once, and all is looked at.

Everything that chance decides comes from the history's seed; only the machine's own timing does
not, so a seed that failed is likely, not certain, to fail again.
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from app.config import AnswersSettings
from app.core.errors import TelhaError, Unavailable
from app.core.instants import DAY, HOUR
from app.flow.jobs import LeaseLost
from app.ports import Audits, Store
from tests.builders import SetClock, World
from tests.dumps import Graph
from tests.flow.ledger import Says
from tests.model.judge import Made
from tests.model.seen import Seen
from tests.model.tenant import Tenant
from tests.serial.checker import UNKNOWN, Event, explained
from tests.serial.look import Look
from tests.serial.operations import Hand, Job, Operation, State, TakeLease, first_job, placed
from tests.serial.paced import Pace, PacedStore

START = 40 * HOUR
LATER = 30 * DAY
Programs = Sequence[Sequence[Operation]]


@dataclass(frozen=True)
class Scene:
    """What there is before: traces by their claims, how many are saved, whether all is settled."""

    claims: tuple[tuple[Made, ...], ...] = ()
    saved: int = 0
    settled: bool = True
    cap: int = 9
    asked: bool = False
    lost: float = 0.0


@dataclass
class Stage:
    """Where histories run: a store for each thread, and what looks at the graph.

    A thread's store may die of its chance; one that is made without chance never does. Without
    ``audits`` the invariants are not asked, so that the serial order alone finds a fault.
    """

    stores: Callable[[random.Random | None], Store]
    graph: Graph
    audits: Audits | None

    def play(self, scene: Scene, programs: Programs, seed: int) -> "History":
        """Run programs at once, each in a thread of its own; then settle, and look."""
        world = World(self.stores(None))
        world.clock.at = START
        world.answers = AnswersSettings(
            enabled=True, recheck_max_age_days=7, max_saved_per_tenant=scene.cap
        )
        state, hand = _set_up(world, scene)
        begin = state.copy()
        gate = threading.Barrier(len(programs))
        chances = [random.Random(f"{seed}/{nth}") for nth in range(len(programs))]
        lanes = [
            _Lane(
                replace(hand, world=world.on(self.stores(chance))), Pace(chance, scene.lost), gate
            )
            for chance in chances
        ]
        with ThreadPoolExecutor(len(programs)) as pool:
            done = list(pool.map(_Lane.run, lanes, programs))
        events = [event for each in done for event in each]
        look = Look(LATER, tuple(hand.traces))
        seen = Seen(self.graph, world.tenant)
        world = replace(world, store=self.stores(None), clock=SetClock(LATER), real=SetClock(LATER))
        told = _answered(lambda: look.taken(world, seen, self.audits))
        told = "saw nothing" if told == UNKNOWN else told
        now = time.perf_counter_ns()
        return History(begin, [*events, Event(look, now, now, told)])


@dataclass(frozen=True)
class History:
    """What happened, from a state on."""

    begin: State
    events: list[Event[State]]

    @property
    def serial(self) -> bool:
        return explained(self.events, self.begin) is not None

    def __str__(self) -> str:
        first = min(event.called for event in self.events)
        lines = [
            f"{(e.called - first) // 1000:>9} {(e.answered - first) // 1000:>9} µs"
            f"  {e.operation}\n{'':24}-> {e.told}"
            for e in sorted(self.events, key=lambda e: e.called)
        ]
        return "\n".join(lines)


@dataclass
class _Lane:
    """One thread's part of a history."""

    hand: Hand
    pace: Pace
    gate: threading.Barrier

    def run(self, program: Sequence[Operation]) -> list[Event[State]]:
        base = self.hand.world.store
        events = []
        self.gate.wait()
        for operation in filter(None, (placed(each, self.hand) for each in program)):
            store = PacedStore(base, self.pace, lossy=not isinstance(operation, TakeLease))
            clock = SetClock(operation.clock)
            hand = replace(self.hand, world=replace(self.hand.world, store=store, clock=clock))
            events.append(_timed(operation, hand))
            self.hand.lease, self.hand.job, self.hand.serial = hand.lease, hand.job, hand.serial
        return events


def _timed(operation: Operation, hand: Hand) -> Event[State]:
    called = time.perf_counter_ns()
    told = _answered(lambda: operation.really(hand))
    return Event(operation, called, time.perf_counter_ns(), told)


def _answered(call: Callable[[], object]) -> object:
    """Return what a call answers: a refusal is its code, what the store did not say is unknown."""
    try:
        return call()
    except LeaseLost as lost:
        return lost.code
    except Unavailable:
        return UNKNOWN
    except TelhaError as refusal:
        return refusal.code
    except Exception as fault:  # noqa: BLE001  a planted bug may break anything
        return f"fault: {fault!r}"


def _set_up(world: World, scene: Scene) -> tuple[State, Hand]:
    """Two sources of two versions, a question, traces, saved answers; the same in the model."""
    model = Tenant(cap=scene.cap, max_age=7 * DAY)
    for hours, source_id, text in ((0, "a", "A1"), (1, "b", "B1")):
        world.version(source_id, text, tx=hours * HOUR)
        model.do(source_id, Says(text, hours * HOUR), START)
    if scene.asked:
        world.ask("a", "q1")
        model.clarify("q1", "open", "a", None, None, START)
    hand = Hand(world, [], [])
    for claims in scene.claims:
        model.trace(claims, START)
        hand.traces.append(world.add(body(world, len(hand.traces), claims)).trace_id)
    for nth in range(scene.saved):
        model.save(nth, START)
        hand.answers.append(world.save(hand.traces[nth]).answer_id)
    state = State(model)
    if scene.settled:
        world.settle()
        model.dispatch()
        for nth in model.waiting():
            model.check(nth, START)
    else:
        state.jobs = {first_job(each): Job(nth) for nth, each in enumerate(hand.answers)}
    return state, hand


def body(world: World, nth: int, claims: tuple[Made, ...]) -> dict[str, object]:
    """A trace of these claims, each over the first characters of what it cites."""
    return {
        "tenant": world.tenant,
        "question": f"Which? {nth}",
        "draft": "So it is.",
        "timeBasis": {"txTime": world.clock.now()},
        "claims": [
            {
                "idx": idx,
                "text": "So it is.",
                "validTime": claim.pinned,
                "evidence": [
                    {"sourceId": source_id, "sourceVersionTx": tx, "start": 0, "end": 1}
                    for source_id, tx in claim.cites
                ],
                "pendingClarifications": list(claim.pending),
            }
            for idx, claim in enumerate(claims)
        ],
    }
