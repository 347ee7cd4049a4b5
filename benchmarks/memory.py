"""Memory: an import and a worker take as much for ten times the rows."""

import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from app.flow.clock import RealClock
from app.flow.import_jsonl import import_jsonl
from app.graph.store import Neo4jStore, open_driver
from app.local import stack as local
from app.local.service import Endpoints
from benchmarks import burst, path, writing
from benchmarks.stage import HOME, Stage
from benchmarks.timing import Measure

_MORE = 10


def measured(stage: Stage, *, rows: int, answers: int) -> Iterator[Measure]:
    """Yield the peak of an import, and what the workers hold, each over a tenth's."""
    few, many = (_peak(stage, count) for count in (rows, rows * _MORE))
    name = f"memory of an import of {rows * _MORE:,} rows ÷ of {rows:,}"
    yield Measure(name, few, many, "MiB", 1.1)
    with path.workers(stage):
        few, many = (_held(stage, count) for count in (answers, answers * _MORE))
    name = f"memory of the workers after {answers * _MORE:,} checks ÷ after {answers:,}"
    yield Measure(name, few, many, "MiB", 1.1)


def imported(endpoints: Endpoints, file: Path, tenant: str) -> float:
    """Import a file; return the most that this process ever held, in MiB."""
    with open_driver(endpoints.neo4j_uri, endpoints.neo4j_user, endpoints.neo4j_password) as driver:
        import_jsonl(Neo4jStore(driver), RealClock(), tenant, file)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    [peak] = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(peak) / 1024


def _peak(stage: Stage, rows: int) -> float:
    """Import so many rows in a process of its own; return its peak in MiB."""
    with (
        TemporaryDirectory() as folder,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
    ):
        file = writing.written(Path(folder) / "rows.jsonl", rows)
        return pool.submit(imported, stage.endpoints, file, stage.tenant("memory")).result()


def _held(stage: Stage, answers: int) -> float:
    """Let the workers check so many answers; return what the largest child holds, in MiB."""
    burst.settled(stage, answers)
    [pid] = (each.pid for each in local.status(HOME) if each.name == "worker" and each.pid)
    return max(each.memory_info().rss for each in psutil.Process(pid).children()) / 2**20
