"""Signs of progress, kept in the broker: a worker finished a task, beat ticked.

A sign is a key that lives for an hour of the broker's own clock, so its age needs no other. A live
process that gets nothing done leaves none. Brokers other than Redis and Valkey keep none.
"""

from typing import Any, Final

import redis
from redis.exceptions import RedisError

from app.core.errors import Invalid, Unavailable

BEAT: Final = "beat"
WORKER: Final = "worker"
_PREFIX: Final = "telha.sign:"
_LIVES: Final = 3600
_SECONDS: Final = 2


def worker_named(node: str) -> str:
    """Return the sign of one worker, by its Celery node name (``worker@host``)."""
    return f"{WORKER}:{node}"


def leave(client: Any, *names: str) -> None:
    """Leave signs in the broker that ``client`` speaks to; ``None`` keeps none."""
    if client is None:
        return
    pipe = client.pipeline(transaction=False)
    for name in names:
        pipe.set(f"{_PREFIX}{name}", b"", ex=_LIVES)
    pipe.execute()


def age(broker_url: str, name: str) -> int | None:
    """Return the whole seconds since a sign was left, ``None`` where there is none.

    Raises ``Unavailable`` ``BROKER_UNAVAILABLE``, ``Invalid`` ``BROKER_KEEPS_NO_SIGNS``.
    """
    if not broker_url.startswith(("redis://", "rediss://", "unix://")):
        raise Invalid(
            "BROKER_KEEPS_NO_SIGNS",
            "progress can be told only where the broker is Redis or Valkey",
            field="broker_url",
        )
    timeouts = {"socket_connect_timeout": _SECONDS, "socket_timeout": _SECONDS}
    try:
        with redis.Redis.from_url(broker_url, **timeouts) as client:
            left = client.ttl(f"{_PREFIX}{name}")
    except (RedisError, OSError) as refused:
        raise Unavailable(
            "BROKER_UNAVAILABLE", f"the broker does not answer ({type(refused).__name__})"
        ) from None
    return _LIVES - int(left) if int(left) >= 0 else None
