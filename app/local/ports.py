"""Free ports on the loopback address."""

import random
import socket
from typing import Final

from app.core.errors import Unavailable

LOOPBACK: Final = "127.0.0.1"
# Below the range that systems hand out for outgoing connections, so a port stays ours while down.
_RANGE: Final = (20_000, 32_000)
_TRIES: Final = 200


def is_free(port: int) -> bool:
    """Whether nothing listens on ``port`` now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def choose(avoid: set[int]) -> int:
    """A free port outside ``avoid``; raises ``Unavailable`` ``LOCAL_NO_PORT`` if none is found."""
    dice = random.SystemRandom()
    for _ in range(_TRIES):
        port = dice.randint(*_RANGE)
        if port not in avoid and is_free(port):
            return port
    raise Unavailable("LOCAL_NO_PORT", f"no free port found between {_RANGE[0]} and {_RANGE[1]}")
