"""What writers do at once: each operation for real, and what it is by the model.

``really`` runs in a thread against the store; ``explains`` is its place in a serial order.
"""

import copy
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.core.statements import Statement, given_tx
from app.core.values import derived_id, sha256
from app.flow.ingest import Arrival, take_arrivals
from app.flow.jobs import Audience, Lease, LeaseLost, lease_job
from app.flow.recheck import run_job
from app.flow.versions import Source, lock_sources
from app.ports import Tx
from tests.builders import SetClock, World
from tests.flow.acts import act, say
from tests.flow.ledger import Refused, Says, Step
from tests.model.tenant import Tenant
from tests.serial.checker import UNKNOWN

SOURCES = ("a", "b")


@dataclass
class Job:
    """A job that checks one answer; ``holder`` is the number of the lease that holds it."""

    answer: int
    run_at: int = 0
    attempts: int = 0
    holder: int = 0
    open: bool = True


@dataclass
class State:
    """The tenant, and its jobs by name."""

    tenant: Tenant
    jobs: dict[str, Job] = field(default_factory=dict)

    def copy(self) -> "State":
        return copy.deepcopy(self)

    def key(self) -> Hashable:
        return repr(self)


@dataclass
class Hand:
    """A thread's world, the names of what there was before, and the lease that it took last."""

    world: World
    answers: list[str]
    traces: list[str]
    job: str = ""
    lease: Lease | None = None
    serial: int = 0


class Operation(Protocol):
    """One operation; ``clock`` is what its clock says while it runs."""

    @property
    def clock(self) -> int: ...

    def really(self, hand: Hand) -> object: ...

    def explains(self, state: State, told: object) -> bool: ...


def fits(expected: object, told: object) -> bool:
    return told in (UNKNOWN, expected)


def attempt(state: State, call: str, *given: object) -> object:
    """Call the model; a refusal is its code."""
    try:
        return getattr(state.tenant, call)(*given)
    except Refused as refusal:
        return refusal.args[0]


@dataclass(frozen=True)
class Do:
    """A step on a source."""

    source_id: str
    step: Step
    clock: int

    def really(self, hand: Hand) -> object:
        if isinstance(self.step, Says):
            return say(hand.world, self.source_id, self.step)
        return act(hand.world, self.source_id, self.step, {})

    def explains(self, state: State, told: object) -> bool:
        outcome = attempt(state, "do", self.source_id, self.step, self.clock)
        if isinstance(self.step, Says) and outcome == "stored":
            source = state.tenant.sources[self.source_id]
            return fits((outcome, source.changes[-1].tx), told)
        return fits(outcome, told[0] if isinstance(told, tuple) else told)


@dataclass(frozen=True)
class DoBoth:
    """A version of each source, taken in one transaction as imports do."""

    text: str
    clock: int

    def really(self, hand: Hand) -> object:
        def work(tx: Tx) -> object:
            locked = lock_sources(tx, hand.world.tenant, SOURCES, now=self.clock)
            taken = take_arrivals(tx, {each: [self._arrival(each)] for each in locked.values()})
            return tuple((str(each.outcomes[0][0]), each.last_tx) for each in taken)

        return hand.world.store.write(work)

    def explains(self, state: State, told: object) -> bool:
        expected = []
        for source_id in SOURCES:
            outcome = attempt(state, "do", source_id, Says(self.text), self.clock)
            expected.append((outcome, state.tenant.sources[source_id].ledger.last))
        return fits(tuple(expected), told)

    def _arrival(self, source: Source) -> Arrival:
        tx = given_tx(None, clock=self.clock, last=source.last_tx)
        return Arrival(Statement(tx, sha256(self.text)), self.text)


@dataclass(frozen=True)
class Clarify:
    """The next state of a clarification."""

    name: str
    state: str
    source_id: str
    clock: int

    def really(self, hand: Hand) -> object:
        text = self._text()
        given = {"text": text} if text else {}
        told = hand.world.clarify(self.state, self.name, sourceId=self.source_id, **given)
        return told.changed

    def explains(self, state: State, told: object) -> bool:
        given = (self.name, self.state, self.source_id, self._text(), None, self.clock)
        return fits(attempt(state, "clarify", *given), told)

    def _text(self) -> str | None:
        return "It is A." if self.state == "bound" else None


@dataclass(frozen=True)
class Save:
    """Save a trace."""

    trace: int
    clock: int

    def really(self, hand: Hand) -> object:
        return hand.world.save(hand.traces[self.trace]).created

    def explains(self, state: State, told: object) -> bool:
        saved = attempt(state, "save", self.trace, self.clock)
        return fits(saved if isinstance(saved, str) else True, told)


@dataclass(frozen=True)
class Delete:
    """Delete an answer that was there before."""

    answer: int
    clock: int

    def really(self, hand: Hand) -> object:
        return hand.world.delete(hand.answers[self.answer]).deleted

    def explains(self, state: State, told: object) -> bool:
        state.tenant.delete(self.answer, self.clock)
        return fits(expected=True, told=told)


@dataclass(frozen=True)
class Check:
    """Check an answer."""

    answer: int
    clock: int

    def really(self, hand: Hand) -> object:
        told = hand.world.check(hand.answers[self.answer])
        return tuple((each.status.value, each.changed) for each in told)

    def explains(self, state: State, told: object) -> bool:
        return fits(checked(state, self.answer, self.clock), told)


@dataclass(frozen=True)
class Dispatch:
    """Follow the open changes. A hint: what it found does not matter, what is done at last does."""

    clock: int

    def really(self, hand: Hand) -> object:
        hand.world.dispatch()
        return None

    def explains(self, state: State, told: object) -> bool:
        return told in (UNKNOWN, None)


@dataclass(frozen=True)
class Sweep:
    """Queue the checks of answers that are due."""

    clock: int

    def really(self, hand: Hand) -> object:
        return hand.world.due().due

    def explains(self, state: State, told: object) -> bool:
        return fits(state.tenant.queue_due(self.clock), told)


@dataclass(frozen=True)
class RunJob:
    """Lease a job, if any waits, and run it whole, where there is but one answer."""

    clock: int

    def really(self, hand: Hand) -> object:
        world = replace(hand.world, real=SetClock(self.clock))
        lease = world.lease()
        done = run_job(world.rechecker(), lease) if lease else []
        return tuple((each.status.value, each.changed) for each in done)

    def explains(self, state: State, told: object) -> bool:
        return told == () or fits(checked(state, 0, self.clock), told)


@dataclass(frozen=True)
class TakeLease:
    """Lease a job for a while; ``now`` is the real clock. To find none is always allowed."""

    now: int
    until: int
    serial: int
    clock: int = 0

    def really(self, hand: Hand) -> object:
        store, tenant = hand.world.store, hand.world.tenant
        hand.lease = lease_job(
            store, tenant, audience=Audience.INTERNAL, now=self.now, until=self.until
        )
        hand.serial = self.serial
        hand.job = hand.lease.job_id if hand.lease else ""
        return (hand.lease.job_id, hand.lease.attempts) if hand.lease else None

    def explains(self, state: State, told: object) -> bool:
        if not isinstance(told, tuple):
            return told is None
        job = state.jobs[told[0]]
        if not job.open or job.run_at > self.now or job.attempts + 1 != told[1]:
            return False
        job.run_at, job.holder, job.attempts = self.until, self.serial, job.attempts + 1
        return True


@dataclass(frozen=True)
class UnderLease:
    """Check the answer of the job that was leased, and finish it, if the lease is still held."""

    clock: int
    job: str = ""
    serial: int = 0


@dataclass(frozen=True)
class CheckLeased(UnderLease):
    """The check of a job."""

    def really(self, hand: Hand) -> object:
        assert hand.lease is not None
        [answer] = [each for each in hand.answers if first_job(each) == hand.job]
        try:
            told = hand.world.rechecker().check(hand.world.tenant, [answer], lease=hand.lease)
        except LeaseLost as lost:
            return lost.code
        return tuple((each.status.value, each.changed) for each in told)

    def explains(self, state: State, told: object) -> bool:
        job = state.jobs[self.job]
        answer = state.tenant.answers[job.answer]
        if told == () and answer.covered is not None:
            return True  # refused, and by then another check had been made
        if answer.deleted_at is None and (job.holder != self.serial or not job.open):
            return fits("LEASE_LOST", told)
        done = checked(state, job.answer, self.clock)
        job.open = job.open and done == ()
        return fits(done, told)


@dataclass(frozen=True)
class FinishJob(UnderLease):
    """The end of a job."""

    def really(self, hand: Hand) -> object:
        lease, store = hand.lease, hand.world.store
        assert lease is not None
        try:
            store.write(lambda tx: lease.finish(tx, now=self.clock))
        except LeaseLost as lost:
            return lost.code
        return "done"

    def explains(self, state: State, told: object) -> bool:
        job = state.jobs[self.job]
        held = job.holder == self.serial
        job.open = job.open and not held
        return fits("done" if held else "LEASE_LOST", told)


def placed(planned: Operation, hand: Hand) -> Operation | None:
    """Return what is done of a plan: under a lease, with that lease, or not where none was got."""
    if not isinstance(planned, CheckLeased | FinishJob):
        return planned
    return replace(planned, job=hand.job, serial=hand.serial) if hand.lease else None


def first_job(answer_id: str) -> str:
    """The name of the job that saving an answer queues."""
    return derived_id("first", answer_id)


def checked(state: State, nth: int, clock: int) -> object:
    answer = state.tenant.answers[nth]
    if answer.deleted_at is not None:
        return ()
    changed = state.tenant.check(nth, clock)
    return ((answer.newest.status, changed),)
