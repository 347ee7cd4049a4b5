"""``telha health``: whether work goes on, which a live process does not prove."""

from enum import StrEnum
from typing import Annotated

import typer
from rich.table import Table

from app.config import Settings
from app.core.errors import Unavailable
from app.local.home import default_home
from app.local.stack import running
from app.payloads.base import Payload
from app.surfaces.cli.shared import AsJson, read_settings, reported, show
from app.surfaces.cli.text import facts


class Part(StrEnum):
    """Whose progress is asked for."""

    WORKER = "worker"
    BEAT = "beat"


class Health(Payload):
    """Whole seconds since each part showed progress."""

    worker: int | None = None
    beat: int | None = None


def health(
    part: Annotated[
        Part | None, typer.Argument(metavar="PART", help="worker or beat; else both.")
    ] = None,
    node: Annotated[
        str | None, typer.Option("--node", help="One worker by its Celery name; else any.")
    ] = None,
    within: Annotated[
        int | None, typer.Option("--within", min=1, help="Seconds; else five ticks, at least 30.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell whether a worker finished a task, and beat ticked, a short time ago."""
    with reported(as_json):
        settings = read_settings()
        broker_url = _broker_url(settings)
        limit = within or max(30, 5 * settings.worker.tick_seconds)
        wanted = [part] if part else list(Part)
        ages = {each.value: _age(broker_url, each, node, limit) for each in wanted}
        show(Health(**ages), _drawn, as_json=as_json)


def _broker_url(settings: Settings) -> str:
    """Return the broker's address: the configured one, else that of a running local stack."""
    if settings.broker_url is not None:
        return settings.broker_url.get_secret_value()
    local = running(settings.home or default_home()) if settings.neo4j_uri is None else None
    if local is None:
        raise Unavailable(
            "SERVER_UNCONFIGURED",
            "no broker is configured, and no local stack runs",
            hint="Set TELHA_BROKER_URL, or start one: `telha local up`.",
        )
    return local.broker_url


def _age(broker_url: str, part: Part, node: str | None, limit: int) -> int:
    """Return the age of a part's sign; raise ``Unavailable`` where it is older than ``limit``."""
    from app.worker import signs  # noqa: PLC0415 — keeps --help and completion quick

    name = signs.worker_named(node) if node and part is Part.WORKER else part.value
    found = signs.age(broker_url, name)
    if found is not None and found <= limit:
        return found
    since = "in the last hour" if found is None else f"for {found} s"
    if part is Part.BEAT:
        raise Unavailable("NO_PROGRESS", f"beat did not tick {since}", hint="Is beat running?")
    who = f"{node} finished no task" if node else "no worker finished a task"
    raise Unavailable(
        "NO_PROGRESS",
        f"{who} {since}",
        hint="Its log tells whether Neo4j answers; without beat an idle worker has nothing to do.",
    )


def _drawn(told: Health) -> Table:
    ages = told.model_dump(exclude_none=True)
    return facts([(part, f"{seconds} s ago") for part, seconds in ages.items()])
