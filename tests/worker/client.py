"""A client of its own process that writes one thing: to be killed in the middle of it."""

import json
import sys

from app.flow.ingest import ingest_version
from app.flow.tombstone import withdraw_version
from app.payloads.base import parse
from app.payloads.ingest import VersionIn, WithdrawIn
from app.wiring import open_stack


def main() -> None:
    """Write what the argument holds, once connected and told so."""
    body = json.loads(sys.argv[1])
    with open_stack() as stack:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        if "text" in body:
            ingest_version(stack.store, stack.clock, parse(VersionIn, body))
        else:
            withdraw_version(stack.store, stack.clock, parse(WithdrawIn, body))


if __name__ == "__main__":
    main()
