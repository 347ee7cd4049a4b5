"""Beat that stops ticking while nobody listens: in Redis an expired tick stays until taken."""

from functools import cached_property
from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry

from app.worker import signs
from app.worker.consumer import steady
from app.worker.wakes import WAKE_QUEUES, client_of, has_room


class Scheduler(PersistentScheduler):
    """Celery's scheduler; it leaves out a tick for which the wake-up queue has no room."""

    @cached_property
    def connection(self) -> Any:
        """The connection to send by."""
        return steady(self.app.connection_for_write())

    def apply_async(
        self, entry: ScheduleEntry, producer: Any = None, advance: bool = True, **options: Any
    ) -> Any:
        """Send an entry. A tick left out is not made up for: the next one does the same."""
        signs.leave(client_of(producer.channel), signs.BEAT)
        queue = (entry.options or {}).get("queue")
        if queue in WAKE_QUEUES and not has_room(producer.channel, queue):
            return None
        return super().apply_async(entry, producer=producer, advance=advance, **options)
