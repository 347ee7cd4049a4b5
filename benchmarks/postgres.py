"""The same judgement in PostgreSQL, on the same rows, index for index; where Debian's server is."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from app.core.instants import FOREVER, HOUR
from benchmarks import corpus
from benchmarks.corpus import PER_SOURCE, START, TENANT, Size
from benchmarks.stage import require

_HOMES: Final = "/usr/lib/postgresql"
_PORT: Final = "25999"
_SETTINGS: Final = {
    "listen_addresses": "",
    "shared_buffers": "1GB",
    "effective_cache_size": "4GB",
    "work_mem": "256MB",
    "maintenance_work_mem": "512MB",
    "random_page_cost": "1.1",
    "max_wal_size": "8GB",
    "synchronous_commit": "off",
    "autovacuum": "off",
}
_TABLES: Final = """
CREATE TABLE answer (tenant text, answer_id text, trace_id text);
CREATE TABLE claim (tenant text, trace_id text, idx int, pinned_at bigint);
CREATE TABLE citation (tenant text, trace_id text, idx int, source_key text, tx bigint);
CREATE TABLE version (source_key text, tx bigint, valid_from bigint, valid_to bigint, text text);
CREATE TABLE wins (source_key text, valid_from bigint, valid_to bigint, winner bigint);
"""
_INDEXES: Final = """
ALTER TABLE answer ADD PRIMARY KEY (tenant, answer_id);
ALTER TABLE claim ADD PRIMARY KEY (tenant, trace_id, idx);
ALTER TABLE version ADD PRIMARY KEY (source_key, tx);
ALTER TABLE wins ADD PRIMARY KEY (source_key, valid_from);
CREATE INDEX ON citation (tenant, trace_id, idx);
CREATE INDEX ON wins (source_key, winner);
VACUUM ANALYZE;
"""
_JUDGE: Final = """
SELECT a.answer_id, c.idx, x.source_key, x.tx
FROM answer a
JOIN claim c ON c.tenant = a.tenant AND c.trace_id = a.trace_id
JOIN citation x ON x.tenant = c.tenant AND x.trace_id = c.trace_id AND x.idx = c.idx
JOIN version v ON v.source_key = x.source_key AND v.tx = x.tx
WHERE a.tenant = '{tenant}' AND NOT EXISTS (
  SELECT 1 FROM wins w WHERE w.source_key = v.source_key AND w.winner = v.tx
  AND w.valid_from <= coalesce(c.pinned_at, {at}) AND w.valid_to > coalesce(c.pinned_at, {at}));
"""


def found() -> Path | None:
    """Return the folder of the newest server's programs; ``None`` where there is none."""
    servers = sorted(Path(_HOMES).glob("*/bin/postgres"))
    return servers[-1].parent if servers else None


class Postgres:
    """A running server with the rows of the graph."""

    def __init__(self, programs: Path, home: Path, size: Size) -> None:
        self._programs, self._home, self._size = programs, home, size

    def judge(self) -> float:
        """Judge all citations of the tenant; return the seconds that psql took for it, warm."""
        text = _JUDGE.format(tenant=TENANT, at=corpus.now(self._size))
        lines = self.run(f"{text}\n\\timing on\n{text}").splitlines()
        rows = [line for line in lines if line.startswith("a")]
        require(rows == [], f"{len(rows)} citations lost in PostgreSQL")
        return float(lines[-1].split()[1]) / 1e3

    def fill(self) -> None:
        """Create the tables, copy the rows, index and analyse them."""
        self.run(_TABLES)
        for table, rows in _rows(self._size).items():
            self._copy(table, rows)
        self.run(_INDEXES)

    def run(self, text: str) -> str:
        """Run statements; return what psql printed."""
        done = subprocess.run(self._psql(), input=text, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def _copy(self, table: str, rows: Iterator[tuple[object, ...]]) -> None:
        copying = subprocess.Popen(
            [*self._psql(), "-c", f"COPY {table} FROM STDIN"], stdin=subprocess.PIPE, text=True
        )
        pipe: IO[str] | None = copying.stdin
        require(pipe is not None, "psql takes no input")
        if pipe is not None:
            for row in rows:
                pipe.write("\t".join("\\N" if each is None else str(each) for each in row) + "\n")
            pipe.close()
        require(copying.wait() == 0, f"COPY {table} failed")

    def _psql(self) -> list[str]:
        where = ["-h", str(self._home), "-p", _PORT, "-U", "postgres", "-d", "postgres"]
        return [str(self._programs / "psql"), "-X", "-q", "-t", "-v", "ON_ERROR_STOP=1", *where]


@contextmanager
def running(programs: Path, size: Size) -> Iterator[Postgres]:
    """Run a server of our own on a socket in a new folder, filled; end it afterwards."""
    home = Path(tempfile.mkdtemp(prefix="telha-bench-pg"))
    if _is_root():
        shutil.chown(home, "postgres")
    data = str(home / "data")
    settings = " ".join(f"-c {name}='{value}'" for name, value in _SETTINGS.items())
    try:
        _as_postgres(
            str(programs / "initdb"),
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
        )
        options = f"-p {_PORT} -k {home} {settings}"
        log = str(home / "log")
        _as_postgres(str(programs / "pg_ctl"), "-D", data, "-l", log, "-w", "-o", options, "start")
        server = Postgres(programs, home, size)
        server.fill()
        yield server
    finally:
        _as_postgres(str(programs / "pg_ctl"), "-D", data, "-m", "fast", "stop")
        shutil.rmtree(home)


def _as_postgres(*command: str) -> None:
    """Run a program of the server; as the user that the package made, since it refuses root."""
    runuser = shutil.which("runuser") or "runuser"
    user = [runuser, "-u", "postgres", "--"] if _is_root() else []
    subprocess.run([*user, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")


def _is_root() -> bool:
    return os.getuid() == 0


def _rows(size: Size) -> dict[str, Iterator[tuple[object, ...]]]:
    answers = [corpus.answer(n, size) for n in range(size.answers)]
    claims = [(each["id"], claim) for each in answers for claim in each["claims"]]
    last = START + (PER_SOURCE - 1) * HOUR
    return {
        "answer": ((TENANT, each["id"], each["id"]) for each in answers),
        "claim": ((TENANT, name, claim["idx"], None) for name, claim in claims),
        "citation": (
            (TENANT, name, claim["idx"], key, last)
            for name, claim in claims
            for key in claim["cites"]
        ),
        "version": (
            (key, at, at, FOREVER, f"The limit is {n}.") for key, n, at, _ in _versions(size)
        ),
        "wins": ((key, at, until, at) for key, _, at, until in _versions(size)),
    }


def _versions(size: Size) -> Iterator[tuple[str, int, int, int]]:
    """Yield source key, number, start and end (µs) of every version."""
    lengths = {f"s{n}": PER_SOURCE for n in range(size.sources)} | {"longest": size.longest}
    for source_id, versions in lengths.items():
        for n in range(versions):
            at = START + n * HOUR
            until = FOREVER if n == versions - 1 else at + HOUR
            yield corpus.key(source_id), n, at, until
