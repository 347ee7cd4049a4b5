"""The product's Celery application for tests: fenced in to the tenants of one test.

Beat and the relay look at all tenants of the server, which tests share: here they see only those
whose name begins with ``FENCE_PREFIX``. Environment: ``FENCE_VISIBILITY`` (seconds) overrides the
broker's visibility timeout, below what the settings allow; ``FENCE_CHECK_SECONDS`` makes the
verifier slow, and each of its calls leaves a file named ``<pid>-<time>`` in ``FENCE_MARKS``.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from app.config import Settings
from app.core.rules import Verdict, Verification
from app.core.states import ClaimCheck
from app.graph.catalog import Query
from app.ports import Store, Tx
from app.wiring import Stack, open_stack
from app.worker import process
from app.worker.celery_app import app

R = TypeVar("R")
T = TypeVar("T")

_TENANT_LISTS: Final = frozenset(
    {"change/read_tenants", "job/read_tenants", "emit/read_tenants", "watch/read_tenants"}
)


@dataclass(frozen=True)
class FencedStore:
    """A store whose lists of tenants show those with a prefix."""

    store: Store
    prefix: str

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        rows = self.store.read(query, **parameters)
        if query.name in _TENANT_LISTS:
            return [row for row in rows if str(row.tenant).startswith(self.prefix)]  # type: ignore[attr-defined]  # the rows of these queries have it
        return rows

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(work)


@dataclass(frozen=True)
class SlowVerifier:
    """A model that takes its time and then supports nothing."""

    seconds: float
    marks: Path
    configured: bool = True

    def verify(
        self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]
    ) -> Mapping[tuple[str, int], Verification]:
        (self.marks / f"{os.getpid()}-{time.time_ns()}").touch()
        time.sleep(self.seconds)
        claims = [(answer_id, check.idx) for answer_id, each in affected.items() for check in each]
        return {claim: Verification(Verdict.UNSUPPORTED) for claim in claims}


@contextmanager
def fenced_stack(settings: Settings | None = None) -> Iterator[Stack]:
    with open_stack(settings) as stack:
        fenced = replace(stack, store=FencedStore(stack.store, os.environ["FENCE_PREFIX"]))
        if seconds := os.environ.get("FENCE_CHECK_SECONDS"):
            slow = SlowVerifier(float(seconds), Path(os.environ["FENCE_MARKS"]))
            fenced = replace(fenced, verifier=slow)
        yield fenced


__all__ = ["app"]

setattr(process, "open_stack", fenced_stack)  # noqa: B010 — mypy: not exported
if visibility := os.environ.get("FENCE_VISIBILITY"):
    app.conf.broker_transport_options |= {
        "visibility_timeout": int(visibility),
        "unacked_restore_interval": 1,
    }
