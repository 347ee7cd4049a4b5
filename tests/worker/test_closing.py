"""Windows close for a slice of time, then their tenant queues up behind the others."""

from typing import TYPE_CHECKING, cast

import pytest

from app.flow import emit
from app.wiring import Stack
from app.worker import tasks
from tests.builders import CAP, Cite, Said, World
from tests.worker.conftest import Send

if TYPE_CHECKING:
    from tests.builders import SetClock

CLOSE = "telha.close_emit_windows"


def test_what_a_slice_leaves_open_is_asked_for_again(
    home: Stack, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[tuple[str, str]] = []
    monkeypatch.setattr(tasks, "send_wake", lambda _, name, tenant: woken.append((name, tenant)))
    monkeypatch.setattr(emit, "_PAGE", 2)
    tenant = home.settings.tenant
    clock = cast("SetClock", home.clock)
    world = World(home.store, tenant, clock)
    tx = world.version("cap", CAP).tx
    for nth in range(5):
        world.answer(Said(f"Cap {nth}.", [Cite("cap", tx, "€2m")]))
    world.version("cap", "€5m")
    world.settle()
    clock.advance(61)

    monkeypatch.setattr(tasks, "SLICE", 0.0)
    send(CLOSE, tenant=tenant)
    assert (len(world.events()), woken) == (2, [(CLOSE, tenant)])
    monkeypatch.setattr(tasks, "SLICE", 60.0)
    send(CLOSE, tenant=tenant)
    assert (len(world.events()), len(woken)) == (5, 1)
