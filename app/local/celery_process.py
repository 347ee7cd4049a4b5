"""Celery's worker and beat, started on the product's own ``app.worker.celery_app``."""

import contextlib
import os
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from app.local.home import HOME_VARIABLE, Home
from app.local.process import HOME_MARK, logged
from app.local.report import Report
from app.local.service import Endpoints, Launch, ServiceName, digest

_APP: Final = ("-m", "celery", "-A", "app.worker.celery_app")
_CHILDREN: Final = 2
_PREFIX: Final = "TELHA_"
_NO_SETTINGS: Final = frozenset({HOME_VARIABLE, HOME_MARK, "TELHA_BROKER_URL"})
# What `app.wiring.on_local` gives to everyone else on an embedded stack.
_EMBEDDED: Final = {"TELHA_ANSWERS__ENABLED": "true", "TELHA_MODELS__EMBEDDING": "local"}
_READY_WORDS: Final[dict[ServiceName, str]] = {"worker": " ready.", "beat": "beat: Starting"}
# How long a living process that never says so in its log is waited for.
_ASSUMED_READY: Final = 15


@dataclass(frozen=True, slots=True)
class CeleryProcess:
    """A worker with two children, or beat."""

    home: Home
    endpoints: Endpoints
    name: ServiceName
    start_limit: float = 90
    stop_grace: float = 20

    @property
    def fingerprint(self) -> str:
        """Where the servers answer, the settings and the code: none changes under a process."""
        where = (self.endpoints.neo4j_uri, self.endpoints.neo4j_password, self.endpoints.broker_url)
        settings = [f"{name}={value}" for name, value in sorted(self._settings().items())]
        return digest(*where, *settings, *_stamps([self._toml]), *_code())

    def prepare(self, report: Report) -> Launch:  # noqa: ARG002 — the protocol's words
        """Name the command and the servers that it is to use."""
        return Launch(
            argv=(sys.executable, *_APP, *self._command()),
            cwd=self.home.project,
            env={
                **self._settings(),
                "NEO4J_URI": self.endpoints.neo4j_uri,
                "NEO4J_USER": self.endpoints.neo4j_user,
                "NEO4J_PASSWORD": self.endpoints.neo4j_password,
                "TELHA_BROKER_URL": self.endpoints.broker_url,
                "TELHA_SETTABLE_CLOCK": "true",
                HOME_VARIABLE: str(self.home.root),
                HOME_MARK: str(self.home.root),
            },
        )

    def is_ready(self, log: Path, log_start: int, waited: float) -> bool:
        """Whether its log says so, or it has lived long enough without."""
        return waited > _ASSUMED_READY or logged(log, log_start, _READY_WORDS[self.name])

    @property
    def _toml(self) -> Path:
        return self.home.project / "telha.toml"

    def _settings(self) -> dict[str, str]:
        """The product's settings in our environment, over those of an embedded stack."""
        ours = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(_PREFIX) and name not in _NO_SETTINGS
        }
        written = _names(tomllib.loads(self._toml.read_text())) if self._toml.exists() else set()
        defaults = {name: value for name, value in _EMBEDDED.items() if name not in written}
        return {**defaults, **ours}

    def _command(self) -> tuple[str, ...]:
        if self.name == "beat":
            schedule = str(self.home.beat_schedule)
            return ("beat", "--loglevel=INFO", "--pidfile=", "--schedule", schedule)
        return (
            "worker",
            "--loglevel=INFO",
            "--pool=prefork",
            f"--concurrency={_CHILDREN}",
            "--hostname=telha@%h",
            "--without-gossip",
            "--without-mingle",
        )


def _names(settings: Mapping[str, Any], prefix: str = _PREFIX) -> set[str]:
    """Return the names that the settings of a file have in the environment."""
    found: set[str] = set()
    for name, value in settings.items():
        inner = _names(value, f"{prefix}{name.upper()}__") if isinstance(value, dict) else set()
        found |= inner or {f"{prefix}{name.upper()}"}
    return found


def _code() -> list[str]:
    """What tells one state of the code from another."""
    folders = [
        Path(folder) for package in ("app", "cypher") for folder in import_module(package).__path__
    ]
    sources = (path for folder in folders for path in sorted(folder.rglob("*")))
    return _stamps(path for path in sources if path.suffix in {".py", ".cypher"})


def _stamps(files: Iterable[Path]) -> list[str]:
    """Name, size and time of those ``files`` that exist."""
    found = []
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            about = file.stat()
            found.append(f"{file}:{about.st_size}:{about.st_mtime_ns}")
    return found
