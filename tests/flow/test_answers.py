"""Answers as people read them: now, at an instant, by status, page by page (seed §6)."""

import pytest

from app.core.instants import SECOND
from app.core.states import Status
from tests.builders import NOON, Said, World, refused
from tests.flow.conftest import Worlds


def history(world: World) -> str:
    """An answer saved at noon, partially stale 10 s later, invalidated after 20, gone after 30."""
    saved = world.two_claims()
    world.clock.advance(10)
    world.version("cap", "€5m")
    world.settle()
    world.clock.advance(10)
    world.cascade("sky")
    world.settle()
    world.clock.advance(10)
    world.delete(saved.answer_id)
    return saved.answer_id


@pytest.mark.parametrize(
    ("seconds", "status", "versions"),
    [
        (0, Status.CURRENT, 1),
        (9, Status.CURRENT, 1),
        (10, Status.PARTIALLY_STALE, 2),
        (20, Status.INVALIDATED, 3),
        (29, Status.INVALIDATED, 3),
    ],
)
def test_an_answer_is_shown_as_it_stood(
    world: World, seconds: int, status: Status, versions: int
) -> None:
    answer_id = history(world)
    shown = world.show(answer_id, at=NOON + seconds * SECOND)
    assert (shown.status, len(shown.history), shown.deleted_at) == (status, versions, None)
    [row] = world.listed(at=NOON + seconds * SECOND).answers
    assert (row.answer_id, row.status) == (answer_id, status)


def test_before_it_was_saved_and_after_its_deletion_an_answer_is_not_listed(world: World) -> None:
    answer_id = history(world)
    assert refused(lambda: world.show(answer_id, at=NOON - 1)).code == "ANSWER_NOT_FOUND"
    assert world.listed(at=NOON - 1).answers == ()
    assert world.listed(at=NOON + 30 * SECOND).answers == ()
    assert world.listed().answers == ()
    assert world.show(answer_id).deleted_at == NOON + 30 * SECOND


def test_of_two_instants_the_earlier_counts(world: World) -> None:
    history(world)
    early, late = NOON + SECOND, NOON + 25 * SECOND
    for stated in ({"at": early, "knownAt": late}, {"at": late, "knownAt": early}):
        [row] = world.listed(**stated).answers
        assert row.status is Status.CURRENT


def test_a_past_list_is_filtered_by_the_status_of_its_time(world: World) -> None:
    answer_id = history(world)
    for seconds, status in ((1, "current"), (15, "partially_stale")):
        at = NOON + seconds * SECOND
        [row] = world.listed(at=at, status=status).answers
        assert (row.answer_id, row.status) == (answer_id, status)
        assert world.listed(at=at, status="pending").answers == ()


def test_a_past_state_tells_nothing_of_the_checks_since(world: World) -> None:
    answer_id = history(world)
    shown = world.show(answer_id, at=NOON + SECOND)
    assert (shown.checked_at, shown.recheck_due_at, shown.checked_through) == (None, None, None)


def test_a_list_is_filtered_by_status(world: World) -> None:
    saved = world.two_claims()
    fine = world.answer(Said("All is well."))
    world.version("cap", "€5m")
    world.settle()
    [stale] = world.listed(status="partially_stale").answers
    [current] = world.listed(status="current").answers
    assert (stale.answer_id, stale.claims, stale.not_ok) == (saved.answer_id, 2, 1)
    assert (current.answer_id, current.not_checkable) == (fine, 1)
    assert world.listed(status="pending").answers == ()
    assert refused(lambda: world.listed(status="fresh")).code == "PAYLOAD_INVALID"


@pytest.mark.parametrize("past", [False, True])
def test_pages_together_are_the_whole_list(world: World, past: bool) -> None:
    saved = {world.saved(Said(f"Answer {nth}.")) for nth in range(7)}
    stated = {"at": NOON} if past else {}
    found: list[str] = []
    after = None
    while True:
        page = world.listed(page=3, after=after, **stated)
        found += [row.answer_id for row in page.answers]
        after = page.after
        if after is None:
            break
    assert len(found) == 7
    assert set(found) == saved


def test_a_stale_answer_foretells_no_expiry(world: World) -> None:
    cap = world.version("cap", validFrom=NOON - 5, validTo=NOON + 60 * SECOND)
    body = world.trace_body([Said("a")])
    evidence = {"sourceId": "cap", "sourceVersionTx": cap.tx, "start": 0, "end": 3}
    body["claims"][0]["evidence"] = [evidence]
    answer_id = world.save(world.add(body).trace_id).answer_id
    world.settle()
    assert world.show(answer_id).expires_at == NOON + 60 * SECOND
    world.version("cap", "€5m", validFrom=NOON - 4, validTo=NOON + 30 * SECOND)
    world.settle()
    shown = world.show(answer_id)
    assert (shown.status, shown.expires_at) == (Status.STALE, None)
    assert world.listed().answers[0].expires_at is None


def test_answers_of_another_tenant_are_unknown(worlds: Worlds) -> None:
    world, other = worlds(), worlds()
    saved = other.two_claims()
    assert world.listed().answers == ()
    assert world.listed(at=NOON).answers == ()
    assert refused(lambda: world.show(saved.answer_id)).code == "ANSWER_NOT_FOUND"
    assert refused(lambda: world.show("nothing")).code == "ANSWER_NOT_FOUND"
