"""The product's Celery application for tests: fenced in to the tenants of one test run.

Beat and the relay look at all tenants of the server, which tests share: here they see only those
whose name begins with ``FENCE_PREFIX``. The model supports nothing; for a tenant that has a file of
its name in ``FENCE_SLOW`` it takes so many seconds first, and each call leaves ``<tenant>.<time>``
there with the pid inside. ``FENCE_VISIBILITY`` (seconds) overrides the broker's visibility timeout,
below what the settings allow.
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
from app.ports import Store, Tx, Verified
from app.wiring import Stack, open_stack
from app.worker import process
from app.worker.celery_app import app
from tests.fakes import OneByOne

R = TypeVar("R")
T = TypeVar("T")

_TENANT_LISTS: Final = frozenset(
    {
        "change/read_tenants",
        "job/read_tenants",
        "emit/read_tenants",
        "watch/read_tenants",
        "index/read_tenants",
    }
)


@dataclass(frozen=True)
class FencedStore(OneByOne):
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
    """A model that supports nothing, and takes its time where a test asks for it."""

    folder: Path
    configured: bool = True

    def verify(self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]) -> Verified:
        slow = self.folder / tenant
        if slow.exists():
            (self.folder / f"{tenant}.{time.time_ns()}").write_text(str(os.getpid()))
            time.sleep(float(slow.read_text()))
        claims = [(answer_id, check.idx) for answer_id, each in affected.items() for check in each]
        return Verified({claim: Verification(Verdict.UNSUPPORTED) for claim in claims})


@contextmanager
def fenced_stack(settings: Settings | None = None) -> Iterator[Stack]:
    with open_stack(settings) as stack:
        yield replace(
            stack,
            store=FencedStore(stack.store, os.environ["FENCE_PREFIX"]),
            verifier=SlowVerifier(Path(os.environ["FENCE_SLOW"])),
        )


__all__ = ["app"]

setattr(process, "open_stack", fenced_stack)  # noqa: B010 — mypy: not exported
if visibility := os.environ.get("FENCE_VISIBILITY"):
    app.conf.broker_transport_options |= {
        "visibility_timeout": int(visibility),
        "unacked_restore_interval": 1,
    }
