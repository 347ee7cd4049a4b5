"""Starting and stopping single services of one home, whose lock the caller holds."""

import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.core.errors import Unavailable
from app.local import process, state
from app.local.celery_process import CeleryProcess
from app.local.guard import disk_full
from app.local.home import Home
from app.local.lines import Line, line_of
from app.local.neo4j_server import USER, Neo4jServer, must_be_killed, torn
from app.local.ports import LOOPBACK, choose, is_free
from app.local.report import Report
from app.local.service import ON_CELERY, SERVERS, Endpoints, Service, ServiceName
from app.local.valkey_server import ValkeyServer

_POLL: Final = 0.1
_PORT_TAKEN: Final = "Address already in use"
# Celery first, so that it can hand back what it holds while its servers still answer.
_STOP_ORDER: Final[tuple[tuple[ServiceName, ...], ...]] = (("beat", "worker"), ("valkey", "neo4j"))
TITLES: Final[dict[ServiceName, str]] = {
    "neo4j": "Neo4j",
    "valkey": "Valkey",
    "worker": "worker",
    "beat": "beat",
}


class Runner:
    """The services of one home, as remembered and as they are."""

    def __init__(self, home: Home, report: Report) -> None:
        self._home = home
        self._report = report
        self._state = state.load(home)
        self._secrets = state.make_secrets(home)

    def set_memory(self, memory: state.Memory) -> None:
        """Remember how much Neo4j may take from its next start on."""
        self._remember(replace(self._state, memory=memory))

    def set_line(self, line: Line) -> None:
        """Run this line of Neo4j from now on; what used another one stops first."""
        before = line_of(self._state.neo4j_line)
        if line == before:
            return
        stopped = self.stop((*ON_CELERY, "neo4j"))
        if stopped or (self._home.root / before.folder).exists():
            self._report.say(
                f"Neo4j {line.version} has data of its own, apart from {before.version}"
            )
        self._remember(replace(self._state, neo4j_line=line.name))

    def settle_ports(self) -> None:
        """Give each server a port, or another one where someone took it while ours was down."""
        for name in SERVERS:
            self._settle_port(name)

    def endpoints(self) -> Endpoints:
        """Where the servers answer, once their ports are settled."""
        return endpoints(self._state, self._secrets)

    def ensure(self, names: Sequence[ServiceName]) -> None:
        """Have ``names`` run as they are configured now, the servers before what needs them."""
        for wave in (SERVERS, ON_CELERY):
            self._ensure_together([name for name in wave if name in names])

    def on_celery(self) -> list[ServiceName]:
        """Those of worker and beat that run."""
        return [name for name in ON_CELERY if self._running(name)]

    def stop(self, names: Sequence[ServiceName]) -> list[ServiceName]:
        """Stop those of ``names`` that we started and that still run; which they were."""
        stopped: list[ServiceName] = []
        for wave in _STOP_ORDER:
            going = [name for name in wave if name in names and name in self._state.started]
            for name in going:
                self._ask_to_stop(name)
            stopped += [name for name in going if self._end(name)]
        return stopped

    def _ask_to_stop(self, name: ServiceName) -> None:
        identity = self._state.started[name].identity
        if name == "neo4j" and must_be_killed(self._home, line_of(self._state.neo4j_line)):
            process.kill(identity)
        else:
            process.ask_to_stop(identity)

    def _end(self, name: ServiceName) -> bool:
        started = self._state.started[name]
        was_running = process.alive(started.identity)
        if was_running and not process.end(started.identity, self._service(name).stop_grace):
            self._report.say(f"{TITLES[name]} did not stop in time and was killed")
        if name in ON_CELERY:
            process.end_leftovers(started.pid, str(self._home.root))
        with contextlib.suppress(
            OSError
        ):  # full disk: a state that names a dead process does no harm
            self._remember(self._state.without(name))
        return was_running

    def _ensure_together(self, names: Sequence[ServiceName]) -> None:
        """Start all of ``names`` before waiting for any."""
        begun = {name: self._begin(self._service(name)) for name in names}
        for name, since in begun.items():
            self._wait_until_ready(self._service(name), since)

    def _settle_port(self, name: ServiceName) -> None:
        port = self._state.ports.get(name)
        if self._running(name) or (port is not None and is_free(port)):
            return
        chosen = choose(avoid=set(self._state.ports.values()))
        if port is not None:
            self._report.say(f"Port {port} is taken; {TITLES[name]} moves to {chosen}")
        self._remember(self._state.with_port(name, chosen))

    def _begin(self, service: Service) -> float | None:
        """Start ``service``; return when its start began, ``None`` where it runs as configured."""
        if self._running(service.name):
            if not self._is_outdated(service):
                return None
            self._report.say(f"{TITLES[service.name]} runs with an older configuration or code")
            self.stop([service.name])
        self._report.say(f"Starting {TITLES[service.name]}")
        launch = service.prepare(self._report)
        log = self._home.log(service.name)
        log_start = process.tidy_log(log)
        since = time.monotonic()
        child = process.spawn(
            launch.argv, env={**os.environ, **launch.env}, cwd=launch.cwd, log=log
        )
        started = state.Started(child.pid, child.born, service.fingerprint, log_start)
        self._remember(self._state.with_started(service.name, started))
        return since

    def _wait_until_ready(self, service: Service, since: float | None) -> None:
        """Wait; one that dies or takes too long is stopped and told with the end of its log.

        One that ran when it was found, and ends now, was on its way out: it is started.
        """
        started = self._state.started[service.name]
        log = self._home.log(service.name)
        begun = time.monotonic() if since is None else since
        while True:
            waited = time.monotonic() - begun
            if not process.alive(started.identity):
                if since is None:
                    self._wait_until_ready(service, self._begin(service))
                    return
                raise self._failed(service.name, "ended while starting")
            if service.is_ready(log, started.log_start, waited):
                break
            if waited > service.start_limit:
                raise self._failed(
                    service.name, f"did not answer within {service.start_limit:.0f} s"
                )
            time.sleep(_POLL)
        line = line_of(self._state.neo4j_line)
        if service.name == "neo4j" and (refusal := torn(self._home, line)):
            self.stop([service.name])
            raise refusal

    def _failed(self, name: ServiceName, what: str) -> Unavailable:
        started = self._state.started[name]
        log = self._home.log(name)
        self.stop([name])
        if process.logged(log, started.log_start, process.NO_SPACE):
            return disk_full(self._home)
        if process.logged(log, started.log_start, _PORT_TAKEN):
            return Unavailable(
                "LOCAL_PORT_TAKEN",
                f"another process took port {self._state.ports[name]} just before {TITLES[name]}",
                hint="Run it again: another port is chosen.",
            )
        last = process.tail(log, started.log_start) or "(it wrote nothing)"
        return Unavailable(
            "LOCAL_START_FAILED",
            f"{TITLES[name]} {what}. The end of {log}:\n{last}",
        )

    def _running(self, name: ServiceName) -> bool:
        started = self._state.started.get(name)
        return started is not None and process.alive(started.identity)

    def _is_outdated(self, service: Service) -> bool:
        return self._state.started[service.name].fingerprint != service.fingerprint

    def _service(self, name: ServiceName) -> Service:
        if name == "neo4j":
            port = self._state.ports[name]
            line = line_of(self._state.neo4j_line)
            return Neo4jServer(self._home, port, self._secrets.neo4j, self._state.memory, line)
        if name == "valkey":
            return ValkeyServer(self._home, self._state.ports[name], self._secrets.valkey)
        return CeleryProcess(self._home, self.endpoints(), name)

    def _remember(self, changed: state.State) -> None:
        self._state = changed
        state.save(self._home, changed)


def endpoints(remembered: state.State, secrets: state.Secrets) -> Endpoints:
    """The addresses that follow from the remembered ports."""
    return Endpoints(
        neo4j_uri=f"bolt://{LOOPBACK}:{remembered.ports['neo4j']}",
        neo4j_user=USER,
        neo4j_password=secrets.neo4j,
        broker_url=f"redis://:{secrets.valkey}@{LOOPBACK}:{remembered.ports['valkey']}/0",
    )
