"""What a stack remembers between commands: ports, memory, processes, passwords."""

import json
import re
import secrets
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from app.core.errors import Invalid, Unavailable
from app.local.home import Home, write_private
from app.local.lines import LTS
from app.local.process import Identity

_SIZE: Final = re.compile(r"[1-9][0-9]*[kmg]")


@dataclass(frozen=True, slots=True)
class Memory:
    """How much Neo4j may take, in Java's notation (``512m``, ``1g``)."""

    heap_initial: str = "512m"
    heap_max: str = "1g"
    pagecache: str = "128m"

    def __post_init__(self) -> None:
        for name, size in asdict(self).items():
            if not _SIZE.fullmatch(size):
                raise Invalid(
                    "LOCAL_MEMORY_INVALID", f"{size!r} is no size such as 512m or 2g", field=name
                )


@dataclass(frozen=True, slots=True)
class Started:
    """One process that we started: who it is, what it was started with, where its output begins."""

    pid: int
    born: str
    fingerprint: str
    log_start: int

    @property
    def identity(self) -> Identity:
        """The process itself."""
        return Identity(self.pid, self.born)


@dataclass(frozen=True, slots=True)
class State:
    """The whole memory of a stack but for its passwords."""

    ports: dict[str, int] = field(default_factory=dict)
    started: dict[str, Started] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    neo4j_line: str = LTS.name

    def with_port(self, service: str, port: int) -> "State":
        """This state with another port for ``service``."""
        return replace(self, ports={**self.ports, service: port})

    def with_started(self, service: str, started: Started) -> "State":
        """This state with ``service`` started."""
        return replace(self, started={**self.started, service: started})

    def without(self, service: str) -> "State":
        """This state with ``service`` forgotten; its port stays remembered."""
        return replace(self, started={k: v for k, v in self.started.items() if k != service})


@dataclass(frozen=True, slots=True)
class Secrets:
    """The generated passwords."""

    neo4j: str = field(repr=False)
    valkey: str = field(repr=False)


def load(home: Home) -> State:
    """What the stack remembers; nothing where the file is missing or unreadable."""
    try:
        return _state(json.loads(home.state.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return State()


def save(home: Home, state: State) -> None:
    """Remember ``state``, whole or not at all."""
    write_private(home.state, json.dumps(asdict(state), indent=1))


def read_secrets(home: Home) -> Secrets | None:
    """The passwords, or None before the first start."""
    try:
        return Secrets(**json.loads(home.secrets.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise Unavailable(
            "LOCAL_SECRETS_UNREADABLE",
            f"{home.secrets} cannot be read ({error})",
            hint="Restore it, or delete the folder to start afresh.",
        ) from error


def make_secrets(home: Home) -> Secrets:
    """The passwords, generated at the first call."""
    if found := read_secrets(home):
        return found
    made = Secrets(neo4j=secrets.token_urlsafe(24), valkey=secrets.token_urlsafe(24))
    write_private(home.secrets, json.dumps(asdict(made)))
    return made


def _state(raw: dict[str, Any]) -> State:
    return State(
        ports={str(name): int(port) for name, port in raw["ports"].items()},
        started={str(name): Started(**entry) for name, entry in raw["started"].items()},
        memory=Memory(**raw["memory"]),
        neo4j_line=str(raw.get("neo4j_line", LTS.name)),
    )
