"""Each process has a driver of its own, opened after the fork (G3), and keeps its size."""

import contextlib
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import psutil
import pytest

from app.core.states import Status
from tests.worker.processes import Running, wait_for
from tests.worker.rig import Rig


def holders(port: int, pids: Iterable[int]) -> dict[str, set[int]]:
    """Which of the processes hold each socket that is connected to a port, from /proc."""
    rows = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    there = {f"socket:[{row[9]}]" for row in rows if int(row[2].split(":")[1], 16) == port}
    held: dict[str, set[int]] = {}
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for entry in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    held.setdefault(str(entry.readlink()), set()).add(pid)
    return {socket: pids for socket, pids in held.items() if socket in there}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("answers", [48, pytest.param(400, marks=pytest.mark.soak)])
def test_no_two_processes_share_a_connection_and_each_check_reads_its_own(
    own_rig: Rig, answers: int
) -> None:
    rig = own_rig
    port = int(rig.fleet.env["NEO4J_URI"].rsplit(":", 1)[1])
    saved = rig.rest_on(f"s{n}" for n in range(answers))
    winners = [rig.world.version(f"s{n}", f"The number is {n}.").tx for n in range(answers)]
    worker = rig.fleet.worker("--max-tasks-per-child=10", children=4)
    seen: set[int] = set()
    with_connections: set[int] = set()
    for answer in saved:
        rig.send("telha.check_answer", tenant=rig.tenant, answerId=answer)

    def looked() -> bool | None:
        pids = worker.children
        seen.update(pids)
        for holding in holders(port, [worker.pid, *pids]).values():
            [holder] = holding
            with_connections.add(holder)
        done = "MATCH (j:Job {tenant: $tenant, state: 'done', why: 'asked'}) RETURN count(j)"
        return rig.graph.one(done, rig.tenant) == answers or None

    wait_for(looked, 300, "every check")
    for n, answer in enumerate(saved):
        view = rig.world.show(answer)
        assert view.status is Status.STALE
        assert [(c.source_id, c.winning_tx) for c in view.claims[0].causes] == [
            (f"s{n}", winners[n])
        ]
    assert len(seen) > 4, "no child was replaced"
    assert len(with_connections) >= 4
    assert worker.pid not in with_connections
    assert "defunct" not in worker.text.lower()
    assert rig.parked() == []


def _did(worker: Running, task_id: str) -> bool | None:
    return f"{task_id}] succeeded" in worker.text or None


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_child_keeps_its_size_over_two_thousand_jobs(own_rig: Rig) -> None:
    rig = own_rig
    worker = rig.fleet.worker(children=1)
    [child] = worker.children
    [answer] = rig.rest_on(["cap"])
    sizes = []
    for _ in range(10):
        sent = [
            rig.send("telha.check_answer", tenant=rig.tenant, answerId=answer) for _ in range(200)
        ]
        wait_for(partial(_did, worker, sent[-1]), 300, "200 jobs")
        sizes.append(psutil.Process(child).memory_info().rss / 1e6)
    assert worker.children == [child]
    assert sizes[-1] < 1.05 * sizes[1], sizes
