"""What the flow needs from outside, as small protocols. ``app.wiring`` fills them in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from app.core.generation import Draft, Passage
from app.core.rules import Verification
from app.core.states import ClaimCheck
from app.core.verification import Doubt
from app.graph.catalog import Query
from app.graph.queries.audit import Audit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

R = TypeVar("R")
T = TypeVar("T")


class Clock(Protocol):
    """Tells the time: µs since 1970-01-01T00:00:00Z (DESIGN §4)."""

    def now(self) -> int:
        """Return the present instant in µs."""
        ...


class Run(Protocol):
    """One statement and its rows: ``Store.read`` outside a transaction, ``Tx.run`` inside one."""

    def __call__(self, query: Query[R], /, **parameters: object) -> list[R]:
        """Run one statement and return all of its rows."""
        ...


class Tx(Protocol):
    """An open write transaction: statements see what earlier ones wrote and hold their locks."""

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        """Run one statement, reading or writing, and return all of its rows."""
        ...


class Store(Protocol):
    """The graph. Failures of the server arrive as ``Unavailable`` or ``Conflict`` (``STORE_…``)."""

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        """Run one reading statement outside any transaction of ours; retried by itself."""
        ...

    def reading(self, work: Callable[[Run], T], /) -> T:
        """Run the reading statements of ``work``, to and fro once less for each than by ``read``.

        Each sees what is committed when it begins, as it would alone. ``work`` runs again after a
        transient error.
        """
        ...

    def write(self, work: Callable[[Tx], T], /) -> T:
        """Run ``work`` as one transaction: it commits when ``work`` returns, else nothing is left.

        ``work`` runs again after a transient error, so it must have no effect outside the ``Tx``.
        """
        ...


class Audits(Protocol):
    """The audit queries, and the graph that they read."""

    @property
    def audits(self) -> Mapping[str, Audit]:
        """What there is, by name."""
        ...

    def run(self, name: str, given: Mapping[str, object]) -> list[dict[str, object]]:
        """Return the rows of one as plain values; nodes and relationships as maps, paths as lists.

        Raises ``NotFound`` ``AUDIT_UNKNOWN``, ``Invalid`` ``AUDIT_PARAMETER``.
        """
        ...


def _keep_nothing(tx: Tx, /) -> None:
    del tx


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verifier says of claims, by answer id and claim index.

    ``keep`` writes down what it found, in the transaction that commits the check.
    """

    verdicts: Mapping[tuple[str, int], Verification]
    keep: Callable[[Tx], None] = _keep_nothing


class Verifier(Protocol):
    """Rule 4 of a re-check: whether an affected claim holds against the current winning spans."""

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        ...

    def verify(self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]) -> Verified:
        """Return a verdict for each affected claim, by answer id and claim index.

        Never raises for a model that is absent or fails: the verdict is then ``UNAVAILABLE`` or
        ``FAILED``. Must not generate (seed §3.8).
        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors. ``name`` says by which model, so that no two are compared."""

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        ...

    @property
    def name(self) -> str:
        """The model with its version or size."""
        ...

    @property
    def dimensions(self) -> int:
        """How long a vector is."""
        ...

    @property
    def metered(self) -> bool:
        """Whether a text costs something, so that the tenant's cap counts."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row a text, each of length 1 (a text without any known word: all zero).

        Raises ``Unavailable`` ``MODEL_UNAVAILABLE`` or ``MODEL_REFUSED``. Must not generate.
        """
        ...


class Veto(Protocol):
    """Reads contradictions that no rule sees. It may veto what the rules clear, never clear."""

    @property
    def name(self) -> str:
        """The model; no other one has this name. Raises ``Unavailable`` ``MODEL_UNAVAILABLE``."""
        ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Doubt]:
        """Say of each premise and hypothesis whether the first contradicts the second.

        Raises ``Unavailable`` ``MODEL_UNAVAILABLE``. Must not generate.
        """
        ...


class Generator(Protocol):
    """Answers a question from passages, by quoting them."""

    @property
    def configured(self) -> bool:
        """Whether there is one."""
        ...

    @property
    def name(self) -> str:
        """The model, as a trace names it."""
        ...

    @property
    def prompt_version(self) -> str:
        """Which prompt, or which rules, make the draft."""
        ...

    def most_tokens(self, question: str, passages: Sequence[Passage]) -> int:
        """Return how many tokens a call may use at most, which are reserved before it."""
        ...

    def generate(self, question: str, passages: Sequence[Passage]) -> Draft:
        """Return a draft whose quotes nobody has checked yet.

        Raises ``Unavailable`` ``GENERATOR_UNAVAILABLE``, ``GENERATOR_REFUSED`` or
        ``GENERATOR_UNREADABLE``.
        """
        ...


class Wake(Protocol):
    """Tells the workers that a tenant has something to do. Only a hint: it may be lost.

    A broker that is down costs delay, never an error.
    """

    def __call__(self, tenant: str) -> None:
        """Tell that the tenant has open changes, or answers whose first check waits."""
        ...

    def jobs(self, tenant: str) -> None:
        """Tell that the tenant has jobs to run."""
        ...
