"""Fakes at the ports: stores that fail or are overtaken, models with a known answer."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.core.errors import Unavailable
from app.core.generation import Draft, Passage
from app.core.retrieval import words
from app.core.rules import Verdict, Verification
from app.core.states import ClaimCheck
from app.graph.catalog import Query
from app.ports import Run, Store, Tx, Verified

R = TypeVar("R")
T = TypeVar("T")


class Broken(Unavailable):
    """The failure that a fake raises."""

    def __init__(self) -> None:
        super().__init__("STORE_UNAVAILABLE", "the fake store does not answer")


class OneByOne(ABC):
    """A store that runs what is read together by ``read``, one by one, so that it notes each."""

    @abstractmethod
    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        """Run one reading statement."""

    def reading(self, work: Callable[[Run], T], /) -> T:
        return work(self.read)


@dataclass
class FailingStore(OneByOne):
    """A store whose ``nth`` call fails: a read, a statement, or a commit (from 1; 0: none)."""

    store: Store
    nth: int = 0
    calls: int = 0

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        self._count()
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        def counted(tx: Tx) -> T:
            done = work(_FailingTx(tx, self))
            self._count()
            return done

        return self.store.write(counted)

    @property
    def failed(self) -> bool:
        return 0 < self.nth <= self.calls

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.nth:
            raise Broken


@dataclass
class _FailingTx:
    tx: Tx
    store: FailingStore

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        self.store._count()
        return self.tx.run(query, **parameters)


@dataclass
class LostReply(OneByOne):
    """A store whose transactions commit, but the caller never hears of it."""

    store: Store

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        self.store.write(work)
        raise Broken


class _RolledBack(Exception):
    pass


@dataclass
class DeadlockedStore(OneByOne):
    """A store in which each transaction's first attempt is undone after its last statement."""

    store: Store
    undone: int = 0

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        def undo(tx: Tx) -> None:
            work(tx)
            raise _RolledBack

        try:
            self.store.write(undo)
        except _RolledBack:
            self.undone += 1
        return self.store.write(work)


@dataclass
class OvertakenStore(OneByOne):
    """A store in which ``overtake`` runs before each of the first ``times`` transactions."""

    store: Store
    overtake: Callable[[], object]
    times: int
    ran: list[str] = field(default_factory=list)

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        if self.times > 0:
            self.times -= 1
            self.overtake()
        return self.store.write(lambda tx: work(_NotedTx(tx, self.ran)))


@dataclass
class _NotedTx:
    tx: Tx
    ran: list[str]

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        self.ran.append(query.name)
        return self.tx.run(query, **parameters)


@dataclass
class BetweenStore(OneByOne):
    """A store in which ``others`` run once inside a transaction, before one of its statements."""

    store: Store
    before: str
    others: Callable[[], object]
    ran: bool = False

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(lambda tx: work(_BetweenTx(tx, self)))


@dataclass
class _BetweenTx:
    tx: Tx
    between: BetweenStore

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        if query.name == self.between.before and not self.between.ran:
            self.between.ran = True
            self.between.others()
        return self.tx.run(query, **parameters)


@dataclass
class PausedStore(OneByOne):
    """A store whose owner is paused before its ``nth`` read or transaction (0: never)."""

    store: Store
    nth: int
    others: Callable[[], object]
    calls: int = 0

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        self._count()
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        self._count()
        return self.store.write(work)

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.nth:
            self.others()


@dataclass
class FixedVerifier:
    """A configured model that says the same of every claim."""

    verdict: Verdict
    material: bool = False
    configured: bool = True
    asked: list[tuple[str, int]] = field(default_factory=list)

    def verify(self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]) -> Verified:
        claims = [(answer_id, check.idx) for answer_id, each in affected.items() for check in each]
        self.asked += claims
        return Verified({claim: Verification(self.verdict, self.material) for claim in claims})


@dataclass
class WordEmbedder:
    """Words alike, vectors alike; notes what it embeds, and fails with a code while told to."""

    name: str = "words"
    dimensions: int = 64
    configured: bool = True
    metered: bool = True
    fails: str | None = None
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails is not None:
            raise Unavailable(self.fails, "the fake model fails")
        self.embedded += texts
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[hashlib.sha256(word.encode()).digest()[0] % self.dimensions] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return np.asarray(unit, dtype=np.float32)


@dataclass
class FixedGenerator:
    """Says the same whatever it is asked, or fails with a code; notes what it was given."""

    draft: Draft
    most: int = 100
    fails: str | None = None
    configured: bool = True
    name: str = "fixed"
    prompt_version: str = "fixed-1"
    before: Callable[[], object] = lambda: None
    asked: list[tuple[str, Sequence[Passage]]] = field(default_factory=list)

    def most_tokens(self, question: str, passages: Sequence[Passage]) -> int:
        return self.most

    def generate(self, question: str, passages: Sequence[Passage]) -> Draft:
        self.asked.append((question, passages))
        self.before()
        if self.fails is not None:
            raise Unavailable(self.fails, "the fake generator fails")
        return self.draft
