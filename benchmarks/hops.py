"""The bare Celery application: a task that sends itself on and tells when it arrived."""

import os

from celery import Celery
from redis import Redis

BROKER = os.environ.get("TELHA_BROKER_URL", "")
QUEUE = "bench"

app = Celery("hops", broker=BROKER)
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    task_default_queue=QUEUE,
    accept_content=["json"],
)


@app.task(name="bench.hop")
def hop(left: int, key: str) -> None:
    """Send itself on ``left`` times, then push to ``key``."""
    if left:
        hop.delay(left - 1, key)
    else:
        Redis.from_url(BROKER).lpush(key, "there")
