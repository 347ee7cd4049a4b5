"""Every tenant is served: without a wake-up, behind another's trouble, beside another's backlog."""

import time
from functools import partial

from app.core.states import Status
from tests.worker.processes import wait_for, within
from tests.worker.rig import Rig


def test_without_any_wake_up_beat_finds_the_work_of_every_tenant(rig: Rig) -> None:
    tenants = [rig, rig.other(), rig.other()]
    answers = [each.rests_on("cap") for each in tenants]
    for each in tenants:
        each.world.version("cap", "The cap of cap is 3.")
    for each, answer in zip(tenants, answers, strict=True):
        each.settle(20)
        each.has_moved_once(answer)


def test_a_backlog_of_one_tenant_does_not_hold_up_another(own_rig: Rig) -> None:
    rig = own_rig
    rig.fleet.env["TELHA_ANSWERS__RECHECK_BATCH_SIZE"] = "1"
    busy, quiet = rig, rig.other()
    busy.rest_on(["cap"] * 40)
    answers = quiet.rest_on(["a", "b", "c"])
    rig.fleet.worker(wait=False)
    rig.fleet.beat()
    busy.slow_checks(0.5)
    busy.contradict("cap")
    busy.next_checker(after=3)

    took = []
    for source, answer in zip("abc", answers, strict=True):
        since = time.monotonic()
        quiet.contradict(source)
        wait_for(partial(_is_stale, quiet, answer), 20, "stale")
        took.append(time.monotonic() - since)
    assert busy.progress().open_jobs > 5
    assert sorted(took)[1] < within(2), took
    assert rig.broker.llen("telha.relay") < 20
    busy.settle(60)


def test_a_backlog_of_indexing_holds_up_no_check(own_rig: Rig) -> None:
    rig = own_rig
    answer = rig.rests_on("cap")
    for _ in range(100):
        rig.other().world.version("terms", "Refunds are paid within 30 days. " * 400)
    rig.fleet.worker()
    rig.send("telha.index_chunks", tenant=None)
    wait_for(lambda: rig.broker.llen("telha.index") > 50 or None, 20, "a backlog")
    since = time.monotonic()
    rig.contradict("cap")
    wait_for(partial(_is_stale, rig, answer), 20, "stale")
    assert time.monotonic() - since < within(3)
    assert rig.broker.llen("telha.index") > 10


def _is_stale(rig: Rig, answer: str) -> bool | None:
    return rig.world.status(answer) is Status.STALE or None


def test_a_flood_of_wake_ups_leaves_few_in_the_queue(rig: Rig) -> None:
    answer = rig.rests_on("cap")
    rig.slow_checks(1)
    rig.contradict("cap")
    rig.next_checker()
    for _ in range(300):
        rig.wake()
    assert int(rig.broker.llen("telha.relay")) < 20
    rig.settle(20)
    rig.has_moved_once(answer)
