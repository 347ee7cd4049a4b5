"""What a test of workers needs: a tenant, its broker, its processes, and looks at the outcome."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import redis
from celery import Celery

from app.config import Settings
from app.core.states import Status
from app.flow.jobs import JobState, list_jobs, read_progress
from app.payloads.jobs import JobView, Progress
from app.worker.send import CeleryWake
from tests.builders import Cite, Said, World, new_tenant
from tests.dumps import Graph
from tests.worker.processes import Fleet, wait_for

CHECKED = """
MATCH (e:AuditEvent {tenant: $tenant, kind: 'answer.checked'})
UNWIND range(0, size(e.answers) - 1) AS i
RETURN e.answers[i] AS answer, e.outcomes[i] AS outcome ORDER BY e.at
"""


@dataclass
class Rig:
    """One tenant of the run's graph, and the processes that work for it."""

    world: World
    graph: Graph
    fleet: Fleet

    @property
    def tenant(self) -> str:
        return self.world.tenant

    @property
    def broker_url(self) -> str:
        return self.fleet.env["TELHA_BROKER_URL"]

    @property
    def settings(self) -> Settings:
        return Settings.model_validate({"broker_url": self.broker_url})

    @property
    def broker(self) -> "redis.Redis":
        return redis.Redis.from_url(self.broker_url, decode_responses=True)

    def other(self) -> "Rig":
        """Another tenant that the same processes serve."""
        named = f"{self.fleet.prefix}-{new_tenant()}"
        return replace(self, world=replace(self.world, tenant=named, texts={}))

    def wake(self) -> None:
        CeleryWake(self.settings)(self.tenant)

    def send(self, name: str, /, *args: Any, task_id: str | None = None, **kwargs: Any) -> str:
        """Send a task as a caller who has only Celery would."""
        with Celery(broker=self.broker_url) as caller:
            sent = caller.send_task(name, args=args, kwargs=kwargs, queue="telha", task_id=task_id)
            return str(sent.id)

    def rests_on(self, source_id: str) -> str:
        """Save an answer on a first version of ``source_id``, checked right here."""
        return self.rest_on([source_id])[0]

    def rest_on(self, source_ids: Iterable[str]) -> list[str]:
        """Save an answer on a first version of each source, all checked right here."""
        saved = []
        txs: dict[str, int] = {}
        for source_id in source_ids:
            first = f"The cap of {source_id} is 2."
            tx = txs.setdefault(source_id, 0) or self.world.version(source_id, first).tx
            txs[source_id] = tx
            said = Said("The cap is 2.", [Cite(source_id, tx, "is 2")])
            saved.append(self.world.saved(said))
        self.world.settle()
        return saved

    def contradict(self, source_id: str) -> None:
        """Store a version that displaces what answers cite, and wake the workers."""
        self.world.version(source_id, f"The cap of {source_id} is 3.")
        self.wake()

    def progress(self) -> Progress:
        return read_progress(self.world.store, self.tenant, now=self.world.clock.now())

    def settle(self, seconds: float) -> float:
        """Wait until nothing is open: no change, job or window; return how long it took."""
        since = time.monotonic()
        wait_for(lambda: self.progress().quiet or None, seconds, f"quiet: {self.progress()}")
        return time.monotonic() - since

    def parked(self) -> list[JobView]:
        return list_jobs(self.world.store, self.tenant, state=JobState.PARKED)

    def slow_checks(self, seconds: float) -> None:
        """Have the model take so long for each batch of this tenant's claims."""
        (self.fleet.folder / "slow" / self.tenant).write_text(str(seconds))

    def checkers(self) -> list[int]:
        """The pids that asked the slow model, in order."""
        files = sorted((self.fleet.folder / "slow").glob(f"{self.tenant}.*"))
        return [int(text) for file in files if (text := file.read_text())]

    def next_checker(self, after: int = 0, seconds: float = 30) -> int:
        """Wait for the check that follows so many; return its pid."""
        return wait_for(lambda: self.checkers()[after : after + 1] or None, seconds, "a check")[0]

    def has_moved_once(self, answer_id: str) -> None:
        """The answer went from current to stale with one transition, one event, one outcome."""
        history = self.world.show(answer_id).history
        assert [v.status for v in history] == [Status.CURRENT, Status.STALE], history
        assert len({v.emit_id for v in history if v.emit_id}) == 1
        events = self.world.events(answer_id)
        assert [(e.number, e.from_status, e.to_status) for e in events] == [
            (1, Status.CURRENT, Status.STALE)
        ]
        assert self.graph.count(self.tenant, "Emit") == len(
            {e.event_id for e in self.world.events()}
        )
