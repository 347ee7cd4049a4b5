"""The success metrics of the specification, by their names (seed §12)."""

import pytest

from app.core.errors import NotFound
from app.core.states import CauseKind, Caveat, ClaimState, Status
from app.flow.jobs import Audience, lease_job
from tests.builders import NOON, Cite, Said, World, refused
from tests.flow.conftest import Worlds

AFFECTED, OK = ClaimState.AFFECTED, ClaimState.OK


def test_answer_stale_on_correction(world: World) -> None:
    answer = world.two_claims()
    world.clock.advance(10)
    corrected = world.version("cap", "The cap is €5m. It holds for a year.", corrects=answer.cap)
    world.settle()

    shown = world.show(answer.answer_id)
    assert shown.status is Status.PARTIALLY_STALE
    assert [claim.state for claim in shown.claims] == [AFFECTED, OK]
    [cause] = shown.claims[0].causes
    assert cause.kind is CauseKind.CORRECTED
    assert (cause.cited_tx, cause.winning_tx) == (answer.cap, corrected.tx)
    assert (cause.cited_start, cause.cited_end, cause.winning_start) == (11, 14, None)

    world.version("cap", "The cap is €6m.")
    world.settle()
    world.close_windows()
    [event] = world.events()
    assert (event.answer_id, event.from_status, event.to_status, event.changed_claims) == (
        answer.answer_id,
        Status.CURRENT,
        Status.PARTIALLY_STALE,
        (0,),
    )
    assert world.close_windows().emitted == 0


def test_answer_pending_and_conflicted(world: World) -> None:
    cap, sky = world.version("cap").tx, world.version("sky", "The sky is blue.").tx
    world.ask("cap")
    answer_id = world.answer(
        Said("The cap is €2m.", [Cite("cap", cap, "€2m")], pending=["q1"]),
        Said("The sky is blue.", [Cite("sky", sky, "blue")]),
    )
    assert world.status(answer_id) is Status.PENDING

    world.clarify("conflicted")
    world.settle()
    assert world.status(answer_id) is Status.CONFLICTED

    world.clarify("bound", text="It is two million.", bind=cap)
    world.settle()
    assert world.status(answer_id) is Status.PARTIALLY_STALE
    assert [cause.kind for cause in world.show(answer_id).claims[0].causes] == [
        CauseKind.CLARIFICATION_BOUND
    ]

    world.clarify("withdrawn")
    world.settle()
    assert world.status(answer_id) is Status.CURRENT

    world.clarify("open")
    world.settle()
    assert world.status(answer_id) is Status.PENDING


def test_all_causes_of_a_claim_are_kept(world: World) -> None:
    cap = world.version("cap").tx
    world.ask("cap")
    answer_id = world.answer(Said("The cap.", [Cite("cap", cap, "€2m")], pending=["q1"]))
    world.clock.advance(10)
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert world.status(answer_id) is Status.PENDING

    world.clarify("withdrawn")
    world.settle()
    assert world.status(answer_id) is Status.STALE


def test_answer_invalidated_on_tombstone(world: World) -> None:
    answer = world.two_claims()
    world.clock.advance(10)
    world.version("sky", "The sky is grey.")
    world.cascade("cap")
    world.settle()

    assert world.states(answer.answer_id) == [ClaimState.INVALIDATED, AFFECTED]
    assert world.status(answer.answer_id) is Status.INVALIDATED


def test_answer_recheck_idempotent(world: World) -> None:
    answer = world.two_claims()
    world.clock.advance(10)
    world.version("cap", "The cap is €5m.")
    world.settle()
    before = world.show(answer.answer_id)

    for _ in range(3):
        [checked] = world.check(answer.answer_id)
        assert (checked.changed, checked.transition) == (False, False)

    assert world.show(answer.answer_id).history == before.history
    world.close_windows()
    assert len(world.events()) == 1


def test_answer_no_generate_on_check(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Structural half: no model is configured, and whatever could open a connection is poisoned."""
    answer = world.two_claims()
    world.clock.advance(10)
    world.version("cap", "The cap is €5m.")

    def poisoned(*_: object, **__: object) -> None:
        raise AssertionError("a re-check reached out")

    monkeypatch.setattr("urllib.request.urlopen", poisoned)
    monkeypatch.setattr("http.client.HTTPConnection.request", poisoned)
    world.settle()

    [first, second] = world.show(answer.answer_id).claims
    assert (first.state, first.caveats) == (AFFECTED, (Caveat.VERIFICATION_UNAVAILABLE,))
    assert (second.state, second.caveats) == (OK, ())
    assert not [name for name in dir(world.rechecker()) if "generat" in name.lower()]


@pytest.mark.parametrize("audience", [each for each in Audience if each is not Audience.INTERNAL])
def test_answer_fence(world: World, audience: Audience) -> None:
    world.version("cap")
    world.saved(Said("The cap.", [Cite("cap", NOON, "€2m")]))

    assert world.lease(audience=audience) is None
    assert world.lease() is not None


def test_answer_isolation(worlds: Worlds) -> None:
    acme, globex = worlds(), worlds()
    theirs = globex.two_claims()
    trace_id = globex.show(theirs.answer_id).trace_id

    assert refused(lambda: acme.save(trace_id)).code == "TRACE_NOT_FOUND"
    assert isinstance(refused(lambda: acme.show(theirs.answer_id)), NotFound)
    assert isinstance(refused(lambda: acme.delete(theirs.answer_id)), NotFound)
    assert acme.check(theirs.answer_id) == []
    assert acme.listed().answers == ()
    globex.clock.advance(10)
    globex.version("cap", "The cap is €5m.")
    globex.dispatch()
    assert (
        lease_job(acme.store, acme.tenant, audience=Audience.INTERNAL, now=NOON, until=NOON + 1)
        is None
    )
    globex.settle()
    assert globex.status(theirs.answer_id) is Status.PARTIALLY_STALE
