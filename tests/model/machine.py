"""Drives a tenant in the graph and its model side by side, and compares them at the end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from app.config import AnswersSettings
from app.core.errors import TelhaError
from app.core.instants import DAY, HOUR
from app.ports import Audits
from tests.builders import World
from tests.dumps import Graph
from tests.flow.acts import act, say
from tests.flow.ledger import Bind, Cascade, Held, Refused, Release, Says, Step, Withdraw
from tests.model.compare import compare_answers, compare_due, compare_listed, compare_sources
from tests.model.compare_audits import compare_audits
from tests.model.judge import Made
from tests.model.seen import Seen
from tests.model.tenant import Tenant

T = TypeVar("T")
CAP = 3  # saved answers
START = 40  # where the clock of an example starts, in hours; stated times lie below and above it

hours = st.integers(0, 70).map(lambda hour: hour * HOUR)
maybe = st.none() | hours
rarely = st.none() | st.none() | hours
sources = st.sampled_from("ab")
questions = st.sampled_from(["q1", "q2"])
nths = st.integers(0, 4)
texts = st.sampled_from(["A1", "B1", "C1"])
versions = st.builds(
    Says, text=texts, tx=rarely, valid_from=maybe, valid_to=rarely, source_ts=rarely
)
ends = st.builds(Says, text=st.none(), tx=rarely, valid_from=maybe, source_ts=rarely)
plain = st.builds(Says, text=texts)
verbs = st.sampled_from(["withdraw", "bind", "own", "release", "cascade", "bind", "withdraw"])
phases = st.sampled_from(["open", "bound", "conflicted", "withdrawn"])


@dataclass(frozen=True)
class Cites:
    """A claim to be made: the nth versions of sources, pinned or not, and questions to name."""

    cites: tuple[tuple[str, int], ...]
    pinned: int | None
    pending: tuple[str, ...]


claims = st.builds(
    Cites,
    st.lists(st.tuples(sources, nths), max_size=2).map(tuple),
    rarely,
    st.lists(questions, max_size=1).map(tuple),
)


class Graphs(RuleBasedStateMachine):
    """One example is one tenant. ``open_world`` is set for a run."""

    open_world: Callable[[], tuple[World, Graph, Audits]]

    def __init__(self) -> None:
        super().__init__()
        self.world, graph, self.queries = self.open_world()
        self.world.clock.at = START * HOUR
        self.world.answers = AnswersSettings(
            enabled=True, recheck_max_age_days=1, max_saved_per_tenant=CAP
        )
        self.seen = Seen(graph, self.world.tenant)
        self.model = Tenant(cap=CAP, max_age=DAY)
        self.traces: list[str] = []
        self.ids: list[str] = []
        self.overrides: dict[str, dict[int, str]] = {"a": {}, "b": {}}
        self.said: list[tuple[str, Says]] = []
        self.broken = False

    # Sources

    @initialize(first=claims)
    def begin(self, first: Cites) -> None:
        for source_id, text in (("a", "A1"), ("b", "B1")):
            self.step(source_id, Says(text))
        self.keep(first if first.cites else Cites((("a", 0),), None, ()))

    @rule(source_id=sources, says=plain | versions | ends)
    def says(self, source_id: str, says: Says) -> None:
        self.step(source_id, says)

    @rule(source_id=sources, says=versions)
    def says_with_stamps(self, source_id: str, says: Says) -> None:
        self.step(source_id, says)

    @rule(source_id=sources, nth=nths, says=versions)
    def corrects(self, source_id: str, nth: int, says: Says) -> None:
        target = self.relied_on(source_id, nth)
        self.step(source_id, Says(says.text, says.tx, says.valid_from, says.valid_to, None, target))

    @rule(nth=nths)
    def says_again(self, nth: int) -> None:
        self.step(*self.said[nth % len(self.said)])

    @rule(source_id=sources, verb=verbs, nth=nths, window=st.tuples(maybe, rarely))
    def decides(
        self, source_id: str, verb: str, nth: int, window: tuple[int | None, int | None]
    ) -> None:
        made = sorted(self.overrides[source_id])
        match verb:
            case "withdraw":
                self.step(source_id, Withdraw(self.relied_on(source_id, nth)))
            case "cascade":
                self.step(source_id, Cascade())
            case "release":
                if made:
                    self.step(source_id, Release(made[nth % len(made)]))
            case _:
                tx = self.relied_on(source_id, nth) if verb == "bind" else None
                self.step(source_id, Bind(tx, *window))

    @rule(source_id=sources, text=texts)
    def holds_on(self, source_id: str, text: str) -> None:
        """A steward holds on to what answers rest on, whatever the source says now."""
        self.step(source_id, Says(text))
        self.step(source_id, Bind(self.relied_on(source_id, 0)))

    # Clarifications

    @rule(name=questions, phase=phases, source_id=sources, nth=nths, chooses=st.booleans())
    def clarifies(self, name: str, phase: str, source_id: str, nth: int, chooses: bool) -> None:
        held = self.model.clarifications.get(name)
        about = held.source_id if held and nth else source_id
        text = f"text {nth % 2}" if phase == "bound" else None
        tx = self.nth(about, nth).tx if text and chooses else None

        def really() -> bool:
            given: dict[str, Any] = {"sourceId": about, "text": text, "bind": tx}
            return self.world.clarify(phase, name, question="Which?", **given).changed

        clock = self.world.clock.at
        self.same(lambda: self.model.clarify(name, phase, about, text, tx, clock), really)

    # Answers

    @rule(made=st.lists(claims, max_size=3))
    def saves(self, made: list[Cites]) -> None:
        self.keep(*made)

    @rule(nth=nths)
    def saves_again(self, nth: int) -> None:
        self.save(nth % len(self.traces))

    @rule(nth=nths)
    def deletes(self, nth: int) -> None:
        if self.ids:
            nth %= len(self.ids)
            self.model.delete(nth, self.world.clock.at)
            self.world.delete(self.ids[nth])

    # Time and checks

    @rule(by=st.integers(1, 30))
    def time_goes_on(self, by: int) -> None:
        self.world.clock.at += by * HOUR

    @rule()
    def dispatches(self) -> None:
        self.model.dispatch()
        self.world.dispatch()

    @rule(by=st.integers(0, 30))
    def settles(self, by: int) -> None:
        """Time goes on, who is due is queued, and every check that waits is made, each once."""
        clock = self.world.clock.at = self.world.clock.at + by * HOUR
        assert self.world.due().due == self.model.queue_due(clock)
        self.model.dispatch()
        waiting = self.model.waiting()
        told = {each.answer_id: each.changed for each in self.world.settle()}
        assert told == {self.ids[nth]: self.model.check(nth, clock) for nth in waiting}
        for nth in waiting:
            compare_due(self.model, self.seen, self.ids, nth)

    @rule(nth=nths)
    def asks_for_a_check(self, nth: int) -> None:
        live = [n for n, answer in enumerate(self.model.answers) if answer.deleted_at is None]
        if live:
            chosen = live[nth % len(live)]
            [told] = self.world.check(self.ids[chosen])
            assert told.changed == self.model.check(chosen, self.world.clock.at)
            compare_due(self.model, self.seen, self.ids, chosen)

    def teardown(self) -> None:
        if not self.broken:
            compare_sources(self.model, self.seen, self.world)
            compare_answers(self.model, self.seen, self.ids)
            compare_listed(self.model, self.world, self.ids)
            compare_audits(self.model, self.world, self.queries, self.ids)

    # One step in both

    def step(self, source_id: str, step: Step) -> None:
        clock = self.world.clock.at

        def really() -> str | int:
            if not isinstance(step, Says):
                return act(self.world, source_id, step, self.overrides[source_id])
            outcome, tx = say(self.world, source_id, step)
            if outcome == "stored":
                self.said.append((source_id, _at(step, tx)))
            return outcome

        self.same(lambda: self.model.do(source_id, step, clock), really)

    def keep(self, *made: Cites) -> None:
        """Take in a trace of these claims, and save it."""
        wanted = tuple(self.made(each) for each in made)
        self.model.trace(wanted, self.world.clock.at)
        body = {
            "tenant": self.world.tenant,
            "question": f"Which? {len(self.traces)}",
            "draft": "So it is.",
            "timeBasis": {"txTime": self.world.clock.at},
            "claims": [body_of(idx, claim) for idx, claim in enumerate(wanted)],
        }
        self.traces.append(self.world.add(body).trace_id)
        self.save(len(self.traces) - 1)

    def save(self, nth: int) -> None:
        clock = self.world.clock.at

        def really() -> int:
            self.ids.append(self.world.save(self.traces[nth]).answer_id)
            return len(self.ids) - 1

        self.same(lambda: self.model.save(nth, clock), really)

    def made(self, wish: Cites) -> Made:
        """What a wish comes to: only versions with a text, and questions about what is cited."""
        cites = {(s, held.tx) for s, nth in wish.cites if (held := self.nth(s, nth)).text}
        about = {source_id for source_id, _ in cites}
        known = self.model.clarifications
        pending = [
            name for name in wish.pending if name in known and known[name].source_id in about
        ]
        return Made(tuple(sorted(cites)), wish.pinned, tuple(pending))

    def nth(self, source_id: str, nth: int) -> Held:
        held = sorted(self.model.sources[source_id].ledger.held, key=lambda each: each.tx)
        return held[nth % len(held)]

    def relied_on(self, source_id: str, nth: int) -> int:
        """The nth version of a source, first those that answers cite, so that it shows."""
        answers = (self.model.traces[each.trace] for each in self.model.answers)
        cited = {cite for trace in answers for made in trace.claims for cite in made.cites}
        first = sorted(tx for each, tx in cited if each == source_id)
        txs = first + [self.nth(source_id, n).tx for n in range(4)]
        return txs[nth % len(txs)]

    def same(self, model: Callable[[], object], really: Callable[[], object]) -> None:
        wanted, found = attempt(model), attempt(really)
        self.broken = found != wanted
        assert found == wanted


def attempt(call: Callable[[], object]) -> object:
    try:
        return call()
    except Refused as refusal:
        return refusal.args[0]
    except TelhaError as refusal:
        return refusal.code


def _at(says: Says, tx: int) -> Says:
    return Says(says.text, tx, says.valid_from, says.valid_to, says.source_ts, says.corrects)


def body_of(idx: int, claim: Made) -> dict[str, Any]:
    return {
        "idx": idx,
        "text": "So it is.",
        "validTime": claim.pinned,
        "evidence": [
            {"sourceId": source_id, "sourceVersionTx": tx, "start": 0, "end": 1}
            for source_id, tx in claim.cites
        ],
        "pendingClarifications": list(claim.pending),
    }
