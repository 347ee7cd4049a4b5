"""The Neo4j server: Community edition of one line, from its published jars."""

import os
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.errors import Unavailable
from app.local import process
from app.local.guard import is_full
from app.local.home import Home, write_private
from app.local.java import java
from app.local.lines import LTS, Line
from app.local.ports import LOOPBACK
from app.local.report import Report
from app.local.service import Launch, ServiceName, digest
from app.local.state import Memory

USER: Final = "neo4j"
_ADMIN: Final = "org.neo4j.cli.AdminTool"
_LOG: Final = Path("logs", "debug.log")
_PANIC: Final = "The database has encountered a critical error"
_UNREADABLE: Final = "Error reading transaction logs, recovery not possible"
_ADMIN_LIMIT: Final = 120
# What the driver sends first: the magic, then versions it would speak (5.0 to 5.4, 4.4).
_HANDSHAKE: Final = bytes.fromhex("6060b017 00040405 00000404 00000000 00000000")

_CONF: Final = """\
server.default_listen_address={loopback}
server.bolt.listen_address={loopback}:{port}
server.bolt.advertised_address={loopback}:{port}
server.http.enabled=false
server.https.enabled=false
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
client.allow_telemetry=false
server.memory.pagecache.size={pagecache}
db.lock.acquisition.timeout=5s
db.transaction.timeout=120s
db.tx_log.preallocate=false
db.tx_log.rotation.retention_policy=256M size
# A stop waits for no quiet time on connections: it takes one second instead of eleven.
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
internal.dbms.bolt.netty_server_shutdown_timeout=2s
internal.server.bolt.thread_pool_shutdown_wait_time=2s
"""

_OPENED: Final = tuple(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in ("java.nio", "java.io", "sun.nio.ch")
)


@dataclass(frozen=True, slots=True)
class Neo4jServer:
    """Neo4j on the loopback address, with a generated password."""

    home: Home
    port: int
    password: str
    memory: Memory
    line: Line = LTS
    name: ServiceName = "neo4j"
    start_limit: float = 180
    stop_grace: float = 60

    @property
    def fingerprint(self) -> str:
        """Configuration, Java and jars."""
        flags = "\n".join(self._java_flags())
        locks = [lock.read_bytes() for lock in (self.line.jars_lock, self.line.java_lock) if lock]
        return digest(self._conf(), flags, self.line.version, *locks)

    @property
    def folder(self) -> Path:
        """The server's own home: its conf, data and logs."""
        return self.home.root / self.line.folder

    def prepare(self, report: Report) -> Launch:
        """Write the configuration, verify the jars and, once, set the password."""
        from app.local.jars import classpath  # noqa: PLC0415 — costs 0.8 s that only a start needs

        for folder in ("conf", "tmp"):
            (self.folder / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(self.folder / "conf" / "neo4j.conf", self._conf())
        if (log := self.folder / _LOG).exists():
            log.replace(log.with_suffix(".log.before"))  # what it tells is of this start alone
        jars = classpath(report, lock_file=self.line.jars_lock)
        binary = java(self.line, report)
        self._set_password(binary, jars)
        arguments = (
            *self._java_flags(),
            *_on_classpath(jars, self.line.main_class),
            f"--home-dir={self.folder}",
            f"--config-dir={self.folder / 'conf'}",
            "--console-mode",
        )
        argv = _java(binary, self.folder / "conf" / "server.args", arguments)
        return Launch(argv=argv, cwd=self.folder)

    def is_ready(self, log: Path, log_start: int, waited: float) -> bool:  # noqa: ARG002 — a protocol
        """Whether it shakes hands on Bolt, which it does once its databases are up."""
        try:
            with socket.create_connection((LOOPBACK, self.port), timeout=2) as connection:
                connection.sendall(_HANDSHAKE)
                return len(connection.recv(4)) == 4
        except OSError:
            return False

    def _conf(self) -> str:
        return _CONF.format(loopback=LOOPBACK, port=self.port, pagecache=self.memory.pagecache)

    def _java_flags(self) -> tuple[str, ...]:
        return (
            f"-Xms{self.memory.heap_initial}",
            f"-Xmx{self.memory.heap_max}",
            # A start is mostly compilation: on two cores these halve its processor time.
            "-XX:+UseSerialGC",
            "-XX:Tier4InvocationThreshold=30000",
            "-XX:Tier4MinInvocationThreshold=10000",
            "-XX:Tier4CompileThreshold=60000",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            *_OPENED,
            "--enable-native-access=ALL-UNNAMED",
            "-Dlog4j2.disable.jmx=true",
            "-Dfile.encoding=UTF-8",
            f"-Djava.io.tmpdir={self.folder / 'tmp'}",
        )

    def _set_password(self, binary: Path, jars: Sequence[Path]) -> None:
        """Set the password with Neo4j's own tool, through a private file, never a command line."""
        if (self.folder / "data" / "dbms" / "auth.ini").exists():
            return
        file = self.folder / "conf" / "admin.args"
        flags = ("-Xmx256m", "-XX:TieredStopAtLevel=1", *_OPENED)
        task = ("dbms", "set-initial-password", "--", self.password)  # it may begin with a dash
        command = (*_on_classpath(jars, _ADMIN), *task)
        folders = {"NEO4J_HOME": str(self.folder), "NEO4J_CONF": str(self.folder / "conf")}
        try:
            done = subprocess.run(
                _java(binary, file, (*flags, *command)),
                env={**os.environ, **folders},
                capture_output=True,
                text=True,
                timeout=_ADMIN_LIMIT,
                check=False,
            )
        finally:
            file.unlink(missing_ok=True)
        if done.returncode != 0:
            why = next(iter(done.stderr.split("\n")), "").strip()  # its usage follows
            raise Unavailable("LOCAL_START_FAILED", f"Neo4j took no password: {why}")


def ran_out_of_disk(home: Home, line: Line) -> bool:
    """Whether the server's log, since its last start, tells that its disk filled up.

    It then refuses to write ever after. On a disk without any room the log may lack it.
    """
    return process.logged_lately(home.root / line.folder / _LOG, process.NO_SPACE)


def must_be_killed(home: Home, line: Line) -> bool:
    """Whether a graceful stop could ruin the server's data.

    Where a write to its transaction log failed half-way, the stop writes that half once more behind
    it (Neo4j 5.26), which no recovery can read. A log that just ends half-way is recovered from.
    """
    return is_full(home) or process.logged_lately(
        home.root / line.folder / _LOG, process.NO_SPACE, _PANIC
    )


def torn(home: Home, line: Line) -> Unavailable | None:
    """Return the refusal of a server whose last start could not read its own transaction log."""
    folder = home.root / line.folder
    if not process.logged_lately(folder / _LOG, _UNREADABLE):
        return None
    return Unavailable(
        "LOCAL_DATA_TORN",
        f"Neo4j's transaction log in {folder / 'data'} is torn, as after an orderly stop on a disk"
        " that was full; it cannot open its database",
        hint="Put a copy of that folder back, or move it away to start empty. A Neo4j of your own"
        " with internal.dbms.tx_log.fail_on_corrupted_log_files=false cuts the log where it is"
        " torn; what was committed behind that place is lost.",
    )


def _on_classpath(jars: Sequence[Path], main_class: str) -> tuple[str, ...]:
    return ("-cp", os.pathsep.join(str(jar) for jar in jars), main_class)


def _java(binary: Path, file: Path, arguments: Sequence[str]) -> list[str]:
    """Java with its ``arguments`` in a private ``file``, quoted as its launcher reads them."""
    quoted = (argument.replace("\\", "\\\\").replace('"', '\\"') for argument in arguments)
    write_private(file, "\n".join(f'"{argument}"' for argument in quoted))
    return [str(binary), f"@{file}"]
