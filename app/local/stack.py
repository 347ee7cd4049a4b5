"""The local stack as the rest of the product uses it: up, down, stop, restart, status, running."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.local import process, state
from app.local.guard import exclusive, is_full, require_room
from app.local.home import Home, home_at
from app.local.lines import line_of
from app.local.neo4j_server import ran_out_of_disk
from app.local.ports import LOOPBACK
from app.local.report import Quiet, Report
from app.local.runner import Runner, endpoints
from app.local.service import ALL_SERVICES, ON_CELERY, SERVERS, Endpoints, ServiceName

__all__ = [
    "ALL_SERVICES",
    "Endpoints",
    "ServiceName",
    "ServiceStatus",
    "down",
    "log_path",
    "memory",
    "neo4j_version",
    "restart",
    "running",
    "status",
    "stop",
    "up",
]

_QUIET: Final = Quiet()


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One service as it is now: ``address``, ``pid`` and ``trouble`` only while it runs."""

    name: ServiceName
    running: bool
    pid: int | None
    address: str | None
    log: Path
    trouble: str | None = None


def up(
    home: Path,
    *,
    services: Sequence[ServiceName] = ALL_SERVICES,
    memory: state.Memory | None = None,
    neo4j_version: str | None = None,
    report: Report = _QUIET,
) -> Endpoints:
    """Have ``services`` run, and what they need; what runs already is left alone. Safe to repeat.

    Worker and beat bring the servers with them. One of ``services`` that runs with an older
    configuration or code is restarted. ``memory`` and ``neo4j_version`` are remembered for later
    starts; each line of Neo4j has a data folder of its own.

    Raises ``Invalid`` ``LOCAL_VERSION_UNKNOWN``; ``Unavailable``: ``LOCAL_START_FAILED`` with the
    end of the log, ``LOCAL_JAR_MISMATCH``, ``LOCAL_DOWNLOAD_FAILED``, ``LOCAL_NO_JAVA``,
    ``LOCAL_DISK_FULL``, ``LOCAL_DATA_TORN``, ``LOCAL_NO_PORT``, ``LOCAL_FAILED``.
    """
    place = home_at(home)
    line = None if neo4j_version is None else line_of(neo4j_version)
    wanted = set(services) | (set(SERVERS) if set(services) & set(ON_CELERY) else set())
    with exclusive(place, report):
        require_room(place)
        runner = Runner(place, report)
        if memory is not None:
            runner.set_memory(memory)
        if line is not None:
            runner.set_line(line)
        runner.settle_ports()
        runner.ensure([name for name in ALL_SERVICES if name in wanted])
        return runner.endpoints()


def down(home: Path, *, report: Report = _QUIET) -> list[ServiceName]:
    """Stop what the stack started, gracefully, then by force; which services that were."""
    return stop(home, *ALL_SERVICES, report=report)


def stop(home: Path, *services: ServiceName, report: Report = _QUIET) -> list[ServiceName]:
    """Stop ``services`` alone; which of them ran. Ports and data stay for the next start."""
    place = home_at(home)
    if not place.root.exists():
        return []
    with exclusive(place, report):
        return Runner(place, report).stop(services)


def restart(home: Path, service: ServiceName, *, report: Report = _QUIET) -> Endpoints:
    """Stop ``service`` and start it again, on its port if that is still free.

    Where a server had to move, a running worker and beat follow it.
    """
    place = home_at(home)
    with exclusive(place, report):
        runner = Runner(place, report)
        runner.settle_ports()
        before = runner.endpoints()
        runner.stop([service])
        runner.settle_ports()
        runner.ensure([service])
        if runner.endpoints() != before:
            runner.ensure(runner.on_celery())
        return runner.endpoints()


def status(home: Path) -> list[ServiceStatus]:
    """Every service of the stack, running or not."""
    place = home_at(home)
    remembered = state.load(place)
    return [_status(place, remembered, name) for name in ALL_SERVICES]


def running(home: Path) -> Endpoints | None:
    """Where the servers answer, or None unless both run."""
    place = home_at(home)
    remembered = state.load(place)
    secrets = state.read_secrets(place)
    if secrets is None or not all(_status(place, remembered, name).running for name in SERVERS):
        return None
    return endpoints(remembered, secrets)


def log_path(home: Path, service: ServiceName) -> Path:
    """The console output of ``service``; the file may not exist yet."""
    return home_at(home).log(service)


def memory(home: Path) -> state.Memory:
    """How much Neo4j may take from its next start on."""
    return state.load(home_at(home)).memory


def neo4j_version(home: Path) -> str:
    """Which Neo4j the stack runs, or would run."""
    return line_of(state.load(home_at(home)).neo4j_line).version


def _status(place: Home, remembered: state.State, name: ServiceName) -> ServiceStatus:
    started = remembered.started.get(name)
    alive = started is not None and process.alive(started.identity)
    port = remembered.ports.get(name)
    return ServiceStatus(
        name=name,
        running=alive,
        pid=started.pid if started and alive else None,
        address=f"{LOOPBACK}:{port}" if port and alive else None,
        log=place.log(name),
        trouble=_trouble(place, remembered, name) if alive else None,
    )


def _trouble(place: Home, remembered: state.State, name: ServiceName) -> str | None:
    """What keeps a living server from its work, in words."""
    if name in SERVERS and is_full(place):
        return "its disk is full"
    if name == "neo4j" and ran_out_of_disk(place, line_of(remembered.neo4j_line)):
        return "its disk was full; it takes no writes until `telha local up` starts it again"
    return None
