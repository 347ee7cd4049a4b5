"""What the stack needs to know of a service, whichever it is."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol, get_args

from app.local.report import Report

ServiceName = Literal["neo4j", "valkey", "worker", "beat"]
ALL_SERVICES: Final[tuple[ServiceName, ...]] = get_args(ServiceName)
SERVERS: Final[tuple[ServiceName, ...]] = ("neo4j", "valkey")
ON_CELERY: Final[tuple[ServiceName, ...]] = ("worker", "beat")


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where a stack answers."""

    neo4j_uri: str
    neo4j_user: str
    neo4j_password: str = field(repr=False)
    broker_url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Launch:
    """A command line, its working folder and what it adds to the environment."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)


class Service(Protocol):
    """One process of the stack."""

    @property
    def name(self) -> ServiceName:
        """Its name, also in ``telha local logs NAME``."""

    @property
    def fingerprint(self) -> str:
        """Changes with whatever a running process would have to be restarted for."""

    @property
    def start_limit(self) -> float:
        """Seconds until a start counts as failed."""

    @property
    def stop_grace(self) -> float:
        """Seconds that a graceful stop may take."""

    def prepare(self, report: Report) -> Launch:
        """Write the configuration, fetch what is missing, and tell how to start."""

    def is_ready(self, log: Path, log_start: int, waited: float) -> bool:
        """Whether it serves, ``waited`` seconds after a start that logs from ``log_start`` on."""


def digest(*parts: str | bytes) -> str:
    """A short digest of ``parts``, for fingerprints."""
    whole = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        whole.update(len(raw).to_bytes(8, "big") + raw)
    return whole.hexdigest()[:32]
