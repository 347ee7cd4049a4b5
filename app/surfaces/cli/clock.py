"""``telha clock``: the time of the stack, settable on a local one."""

from typing import Annotated

import typer
from rich.table import Table

from app.core.errors import Invalid
from app.core.instants import instant
from app.flow.clock import SettableClock
from app.payloads.base import Payload
from app.surfaces.cli.shared import AsJson, Session, Tenant, example, group, session
from app.surfaces.cli.text import facts, when

app = group("See the stack's time; move it where the stack is a local one.")


class ClockView(Payload):
    """The stack's time beside the real time, µs, and whether it can be set."""

    now: int
    real: int
    settable: bool


@app.command(epilog=example("telha clock show"))
def show(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show the stack's time."""
    with session(tenant, as_json) as on:
        _show(on)


@app.command("set", epilog=example("telha clock set 2027-01-01T00:00:00Z"))
def set_clock(
    to: Annotated[str, typer.Argument(metavar="INSTANT", help="RFC 3339 with offset, or µs.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Let it be INSTANT now, for every process of the stack, and go on from there."""
    with session(tenant, as_json) as on:
        _settable(on).set(instant(to, field="instant"))
        _show(on)


@app.command(epilog=example("telha clock reset"))
def reset(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Go back to the real time."""
    with session(tenant, as_json) as on:
        _settable(on).set(None)
        _show(on)


def _settable(on: Session) -> SettableClock:
    if not on.stack.settings.settable_clock:
        raise Invalid(
            "CLOCK_NOT_SETTABLE",
            "this stack runs on the real clock",
            hint="Only a local or test stack has a clock that can be set: `telha local up`.",
        )
    return SettableClock(on.stack.store, on.stack.real)


def _show(on: Session) -> None:
    view = ClockView(
        now=on.stack.clock.now(),
        real=on.stack.real.now(),
        settable=on.stack.settings.settable_clock,
    )
    on.show(view, _drawn)


def _drawn(view: ClockView) -> Table:
    clock = "settable" if view.settable else "real"
    return facts([("now", when(view.now)), ("real", when(view.real)), ("clock", clock)])
