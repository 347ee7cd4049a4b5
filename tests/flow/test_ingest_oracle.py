"""Ingest against an oracle: any mix of statements, on the real graph, step by step."""

import itertools
import random
import uuid
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from app.core.errors import TelhaError
from app.core.values import source_key
from app.graph.queries import ingest as q
from tests.builders import World, stored_tiles
from tests.flow.acts import act, say
from tests.flow.conftest import Worlds
from tests.flow.ledger import (
    Bind,
    Cascade,
    Ledger,
    Refused,
    Release,
    Says,
    Step,
    Withdraw,
)

CLOCK = 40  # where the clock of an example starts; stated times lie below and above it
AS_OF = 12  # as-of reads after each example

instants = st.integers(0, 60)
maybe = st.none() | instants
rarely = st.none() | st.none() | instants
nths = st.integers(0, 9)


@dataclass(frozen=True)
class Correct:
    """A correction of the nth stored statement."""

    nth: int
    says: Says


@dataclass(frozen=True)
class Again:
    """The nth stored statement arrives again, at the tx that it was given."""

    nth: int


@dataclass(frozen=True)
class Steward:
    """An act of a steward on the nth statement, or on the nth override."""

    verb: str
    nth: int
    window: tuple[int | None, int | None] = (None, None)


versions = st.builds(
    Says,
    text=st.sampled_from("ABC"),
    tx=maybe,
    valid_from=maybe,
    valid_to=rarely,
    source_ts=rarely,
)
ends = st.builds(Says, text=st.none(), tx=maybe, valid_from=maybe, source_ts=maybe)
acts = st.builds(Steward, st.sampled_from(["withdraw", "withdraw", "release", "cascade"]), nths)
bindings = st.builds(Steward, st.sampled_from(["bind", "own"]), nths, st.tuples(maybe, rarely))
corrections = st.builds(Correct, nths, versions)
wishes = st.one_of(
    versions, versions, versions, ends, corrections, acts, bindings, st.builds(Again, nths)
)


@dataclass
class Run:
    """One source in the graph beside its ledger."""

    world: World
    source_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    ledger: Ledger = field(default_factory=lambda: Ledger([], []))
    said: list[Says] = field(default_factory=list)
    overrides: dict[int, str] = field(default_factory=dict)
    past: list[tuple[int, Ledger]] = field(default_factory=list)

    @property
    def key(self) -> str:
        return source_key(self.world.tenant, self.source_id)

    def do(self, wish: object) -> None:
        """Do one step in both, and compare what each says of it and who wins now."""
        self.world.clock.at += 1
        step = self._meant(wish)
        if step is None:
            return
        wanted: object
        found: object
        try:
            wanted = self.ledger.do(step, self.world.clock.at)
        except Refused as refusal:
            wanted = refusal.args[0]
        try:
            found = self._really(step)
        except TelhaError as refusal:
            found = refusal.code
        assert found == wanted, step
        self.past.append((self.world.clock.at, self.ledger.copy()))
        self._compare_now()

    def compare_past(self) -> None:
        """Compare what as-of reads give back with who won in each past state, at some instants."""
        points = list(itertools.product(self.past, self.ledger.boundaries()))
        for (known_at, then), at in random.Random(0).sample(points, min(len(points), AS_OF)):
            rows = self.world.store.read(
                q.READ_WINNER_KNOWN_AT, source_key=self.key, at=at, known_at=known_at
            )
            found = rows[0].tx if rows else None
            assert found == then.winner(at), f"at {at} as known at {known_at}"

    def _compare_now(self) -> None:
        tiles = stored_tiles(self.world.store, self.key)
        for left, right in itertools.pairwise(tiles):
            assert left.valid_to <= right.valid_from, "tiles overlap"
        for at in self.ledger.boundaries():
            over = [tile.winner for tile in tiles if tile.valid_from <= at < tile.valid_to]
            assert (over[0] if over else None) == self.ledger.winner(at), f"at {at}"

    def _meant(self, wish: object) -> Step | None:
        txs = sorted(held.tx for held in self.ledger.held) or [0]
        match wish:
            case Says():
                return wish
            case Correct(nth, says):
                return Says(
                    says.text, says.tx, says.valid_from, says.valid_to, None, txs[nth % len(txs)]
                )
            case Again(nth):
                return self.said[nth % len(self.said)] if self.said else None
            case Steward("withdraw", nth):
                return Withdraw(txs[nth % len(txs)])
            case Steward("cascade"):
                return Cascade()
            case Steward("release", nth):
                made = sorted(self.overrides)
                return Release(made[nth % len(made)]) if made else None
            case Steward(verb, nth, window):
                return Bind(txs[nth % len(txs)] if verb == "bind" else None, *window)
            case _:
                raise AssertionError(wish)

    def _really(self, step: Step) -> str | int:
        if not isinstance(step, Says):
            return act(self.world, self.source_id, step, self.overrides)
        outcome, tx = say(self.world, self.source_id, step)
        if outcome == "stored":
            self.said.append(replace(step, tx=tx))
        return outcome


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_any_mix_of_statements_gives_the_winners_that_a_literal_reading_gives(
    worlds: Worlds, part: int
) -> None:
    world = worlds()

    @seed(part)
    @settings(
        max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.lists(wishes, min_size=8, max_size=16))
    def holds(mix: list[object]) -> None:
        world.clock.at = CLOCK
        run = Run(world)
        for wish in mix:
            run.do(wish)
        run.compare_past()

    holds()
