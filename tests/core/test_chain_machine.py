"""The chain against the book: any history, loaded whole and loaded as the store loads it."""

from collections.abc import Callable
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.core.chain import Chain, Edit
from app.core.errors import TelhaError
from app.core.instants import FOREVER
from app.core.statements import Removal, Statement, Stored
from tests.core.book import (
    Book,
    Refused,
    as_line,
    code_of,
    family,
    neighbours,
    winner_of,
)

T = TypeVar("T")
POINTS = (*range(22), FOREVER - 1)
txs = st.integers(0, 18)
times = st.integers(0, 18)
texts = st.sampled_from("AB")
maybe = st.none() | times


class Histories(RuleBasedStateMachine):
    """Each step runs on the book, on a chain of all versions, and on one with the neighbours."""

    def __init__(self) -> None:
        super().__init__()
        self.book = Book()
        self.store: dict[int, Stored] = {}
        self.log: list[Statement] = []

    @rule(tx=txs, text=texts, source_ts=maybe)
    def say(self, tx: int, text: str, source_ts: int | None) -> None:
        self.take(Statement(tx, text, source_ts=source_ts))

    @rule(tx=txs, text=texts, start=times, end=st.none() | st.integers(1, 20))
    def say_from(self, tx: int, text: str, start: int, end: int | None) -> None:
        self.take(Statement(tx, text, start, end))

    @rule(tx=txs, text=texts, end=st.integers(1, 20), source_ts=maybe)
    def say_until(self, tx: int, text: str, end: int, source_ts: int | None) -> None:
        self.take(Statement(tx, text, None, end, source_ts))

    @rule(tx=txs, text=texts | st.none(), back=st.integers(0, 5))
    def say_imported(self, tx: int, text: str | None, back: int) -> None:
        self.take(Statement(tx, text, imported_from=max(0, tx - back)))

    @rule(tx=txs, start=maybe, source_ts=maybe)
    def end(self, tx: int, start: int | None, source_ts: int | None) -> None:
        self.take(Statement(tx, None, start, source_ts=source_ts))

    @precondition(lambda self: self.store)
    @rule(data=st.data(), tx=txs, text=texts, start=maybe, end=maybe)
    def correct(
        self, data: st.DataObject, tx: int, text: str, start: int | None, end: int | None
    ) -> None:
        corrects = data.draw(st.sampled_from(sorted(self.store)))
        self.take(Statement(tx, text, start, end, corrects=corrects))

    @precondition(lambda self: self.store)
    @rule(data=st.data(), removal=st.sampled_from(Removal))
    def remove(self, data: st.DataObject, removal: Removal) -> None:
        tx = data.draw(st.sampled_from(sorted(self.store)))
        whole, near = Chain(self.store.values()), Chain(family(self.store, tx))
        assert (
            whole.remove(tx, removal) is near.remove(tx, removal) is self.book.remove(tx, removal)
        )
        self.write(whole, near)

    @rule(tx=txs, text=texts, start=times, length=st.integers(1, 9))
    def own_text(self, tx: int, text: str, start: int, length: int) -> None:
        whole = Chain(self.store.values())
        near = Chain(neighbours(self.store, Statement(tx, None)))
        end = start + length
        told = attempt(lambda: self.book.take_own_text(tx, text, start, end))
        assert attempt(lambda: void(whole.take_own_text(tx, text, start, end))) == told
        assert attempt(lambda: void(near.take_own_text(tx, text, start, end))) == told
        if told is None:
            self.write(whole, near)

    @precondition(lambda self: self.log)
    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        """What was said once may be said again: it changes nothing and lifts no tombstone."""
        said = data.draw(st.sampled_from(self.log))
        standing, versions = self.book.competing(), set(self.store)
        told = self.take(said)
        if said.tx not in self.book.forgotten:
            assert told in ("duplicate", "observed")
            assert (self.book.competing(), set(self.store)) == (standing, versions)

    @invariant()
    def everything_agrees(self) -> None:
        assert {as_line(s) for s in self.store.values()} == set(self.book.lines)
        assert {s.tx for s in self.store.values() if s.competes} == self.book.competing()
        candidates = [c for s in self.store.values() if (c := s.candidate) is not None]
        for at in POINTS:
            assert winner_of(candidates, at) == self.book.winner(at)

    def take(self, said: Statement) -> str | None:
        whole = Chain(self.store.values())
        near = self.near(said)
        told = attempt(lambda: self.book.take(said))
        assert attempt(lambda: str(whole.take(said)[0])) == told
        assert attempt(lambda: str(near.take(said)[0])) == told
        if told not in ("stored", "observed", "duplicate"):
            assert whole.edits() == near.edits() == []
            return told
        self.write(whole, near)
        self.log.append(said)
        return told

    def near(self, said: Statement) -> Chain:
        chain = Chain(neighbours(self.store, said))
        meant = said.corrects
        if meant is None and said.valid_from is not None:
            meant = chain.newest_from(said.valid_from)
        if meant is not None:
            chain.know(family(self.store, meant))
        return chain

    def write(self, whole: Chain, near: Chain) -> None:
        assert near.edits() == whole.edits()
        assert list(near.shifts()) == list(whole.shifts())
        for edit in whole.edits():
            self.check_edit(edit)
            self.store[edit.after.tx] = edit.after

    def check_edit(self, edit: Edit) -> None:
        """What a version says is written once; only its standing and its observation move."""
        before, after = self.store.get(edit.after.tx), edit.after
        assert edit.before == before
        if before is not None:
            kept = ("valid_from", "valid_to", "valid_from_rule", "text_sha256", "corrects_tx")
            assert [getattr(before, n) for n in kept] == [getattr(after, n) for n in kept]
        assert after.valid_from < after.valid_to
        assert after.observed_at >= after.tx


def void(_: object) -> None:
    return None


def attempt(act: Callable[[], T]) -> T | str:
    try:
        return act()
    except (TelhaError, Refused) as refused:
        return code_of(refused)


Histories.TestCase.settings = settings(
    max_examples=settings().max_examples * 3 // 2, stateful_step_count=25, deadline=None
)
test_any_history_is_what_a_literal_reading_makes_of_it = Histories.TestCase
