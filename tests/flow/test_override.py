"""Overrides: a steward decides which version wins, over a window, until release (DESIGN §4)."""

import pytest

from app.core.states import CauseKind, Caveat, ClaimState, Status
from tests.builders import NOON, Cite, Said, World, refused
from tests.dumps import Graph
from tests.flow.test_ingest import wins_at


def test_an_override_lets_an_older_version_win_over_that_versions_own_window(world: World) -> None:
    old = world.version("cap", "€2m", validFrom=5, validTo=9)
    new = world.version("cap", "€5m", validFrom=6)
    made = world.override("cap", bind=old.tx)
    assert (made.bound_tx, made.valid_from, made.valid_to) == (old.tx, 5, 9)
    assert [wins_at(world, at) for at in (5, 8, 9)] == [old.tx, old.tx, new.tx]


def test_an_override_may_state_another_window(world: World) -> None:
    old = world.version("cap", "€2m", validFrom=5)
    new = world.version("cap", "€5m", validFrom=6)
    world.override("cap", bind=old.tx, validFrom=7, validTo=9)
    assert [wins_at(world, at) for at in (5, 6, 7, 8, 9)] == [
        old.tx,
        new.tx,
        old.tx,
        old.tx,
        new.tx,
    ]


def test_an_overrides_own_text_wins_from_its_tx_on_and_only_through_it(world: World) -> None:
    base = world.version("cap", "€2m", tx=NOON - 5)
    made = world.override("cap", text="€9m")
    assert made.bound_tx == made.tx
    assert wins_at(world, made.tx) == made.tx
    assert wins_at(world, made.tx - 1) == base.tx
    world.release(made.override_id)
    assert wins_at(world, made.tx) == base.tx


def test_nothing_newer_displaces_what_an_override_binds(world: World) -> None:
    old = world.version("cap", "€2m", validFrom=5)
    world.override("cap", bind=old.tx)
    assert world.version("cap", "€5m").why_not == "overridden"
    assert world.version("cap", "€6m", corrects=old.tx).wins_now is False
    assert wins_at(world, NOON) == old.tx


def test_of_two_overrides_the_one_with_the_greater_tx_wins(world: World) -> None:
    first, second = world.version("cap", "a", validFrom=5), world.version("cap", "b", validFrom=6)
    world.override("cap", bind=second.tx)
    newer = world.override("cap", bind=first.tx, validFrom=6)
    assert wins_at(world, NOON) == first.tx
    world.release(newer.override_id)
    assert wins_at(world, NOON) == second.tx


def test_withdrawing_the_bound_version_ends_what_the_override_does(world: World) -> None:
    old = world.version("cap", "€2m", validFrom=5)
    new = world.version("cap", "€5m", validFrom=6)
    world.override("cap", bind=old.tx)
    world.withdraw("cap", old.tx)
    assert wins_at(world, NOON) == new.tx


def test_releasing_twice_is_releasing_once(world: World, graph: Graph) -> None:
    old = world.version("cap", "€2m")
    made = world.override("cap", bind=old.tx)
    assert world.release(made.override_id).changed
    before = graph.dump(world.tenant)
    again = world.release(made.override_id)
    assert (again.released, again.changed) == (True, False)
    assert graph.dump(world.tenant) == before


def test_the_same_override_at_a_stated_tx_again_changes_nothing(world: World, graph: Graph) -> None:
    old = world.version("cap", "€2m", tx=5)
    made = world.override("cap", bind=old.tx, tx=NOON - 1)
    before = graph.dump(world.tenant)
    again = world.override("cap", bind=old.tx, tx=NOON - 1)
    assert (again.override_id, again.changed) == (made.override_id, False)
    assert refused(lambda: world.override("cap", text="z", tx=NOON - 1)).code == "TX_CONFLICT"
    assert graph.dump(world.tenant) == before


def test_a_tx_that_a_version_or_an_observation_has_is_no_overrides(world: World) -> None:
    world.version("cap", "€2m", tx=10)
    world.version("cap", "€2m", tx=30)
    assert refused(lambda: world.override("cap", text="z", tx=10)).code == "TX_CONFLICT"
    assert refused(lambda: world.override("cap", text="z", tx=30)).code == "TX_CONFLICT"
    assert world.version("cap", "€5m", tx=20).outcome == "stored"
    assert wins_at(world, 30) == 30


def test_what_cannot_win_cannot_be_bound(world: World, graph: Graph) -> None:
    gone = world.version("cap", "€2m")
    end = world.end("cap")
    world.withdraw("cap", gone.tx)
    before = graph.dump(world.tenant)
    assert refused(lambda: world.override("cap", bind=gone.tx)).code == "NOT_BINDABLE"
    assert refused(lambda: world.override("cap", bind=end.tx)).code == "NOT_BINDABLE"
    assert refused(lambda: world.override("cap", bind=3)).code == "VERSION_UNKNOWN"
    assert refused(lambda: world.override("nowhere", text="a")).code == "SOURCE_UNKNOWN"
    assert refused(lambda: world.release("nothing")).code == "OVERRIDE_UNKNOWN"
    empty = refused(lambda: world.override("cap", text="a", validFrom=9, validTo=9))
    assert empty.code == "WINDOW_EMPTY"
    assert graph.dump(world.tenant) == before


@pytest.mark.parametrize("stated", [{}, {"bind": 1, "text": "a"}])
def test_an_override_binds_or_brings_a_text_never_both(
    world: World, stated: dict[str, object]
) -> None:
    assert refused(lambda: world.override("cap", **stated)).code == "PAYLOAD_INVALID"


def test_binding_another_version_affects_who_cites_the_displaced_one(world: World) -> None:
    old = world.version("cap", "€2m", validFrom=5)
    saved = world.two_claims()
    world.override("cap", bind=old.tx, validFrom=5)
    world.settle()
    shown = world.show(saved.answer_id)
    assert shown.status is Status.PARTIALLY_STALE
    [cause] = shown.claims[0].causes
    assert (cause.kind, cause.winning_tx) == (CauseKind.OVERRIDDEN, old.tx)


def test_release_brings_the_displaced_citation_back(world: World) -> None:
    saved = world.two_claims()
    made = world.override("cap", text="€9m")
    world.settle()
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE
    world.release(made.override_id)
    world.settle()
    assert world.status(saved.answer_id) is Status.CURRENT


def test_a_newer_version_under_an_override_leaves_its_citers_ok_with_a_caveat(world: World) -> None:
    saved = world.two_claims()
    world.override("cap", bind=saved.cap)
    world.settle()
    assert world.show(saved.answer_id).claims[0].caveats == ()
    world.clock.advance(10)
    world.version("cap", "€5m")
    world.settle()
    [claim, _] = world.show(saved.answer_id).claims
    assert claim.state is ClaimState.OK
    assert claim.caveats == (Caveat.NEWER_UNDER_OVERRIDE,)


def test_what_was_there_when_the_newest_override_was_set_is_nothing_newer_under_it(
    world: World,
) -> None:
    saved = world.two_claims()
    world.override("cap", bind=saved.cap)
    world.version("cap", "€5m")
    world.override("cap", bind=saved.cap)
    world.settle()
    assert world.show(saved.answer_id).claims[0].caveats == ()


def test_a_version_bound_by_an_override_of_an_earlier_tx_is_nothing_newer_under_it(
    world: World,
) -> None:
    tx = world.version("cap", "€2m", validFrom=5, tx=NOON - 5).tx
    world.override("cap", bind=tx, tx=NOON - 9)
    answer_id = world.answer(Said("The cap is €2m.", [Cite("cap", tx, "€2m")]))
    [claim] = world.show(answer_id).claims
    assert (claim.state, claim.caveats) == (ClaimState.OK, ())


def test_what_is_newer_under_an_override_is_told_while_it_would_win(world: World) -> None:
    tx = world.version("cap", "€2m", validFrom=1).tx
    world.override("cap", bind=tx)
    world.version("cap", "€5m", validFrom=3, validTo=5)
    cites = [Cite("cap", tx, "€2m")]
    made = [Said("The cap is €2m.", cites, valid_time=at) for at in (2, 3, 4, 5, 6)]
    told = [claim.caveats for claim in world.show(world.answer(*made)).claims]
    newer = [Caveat.NEWER_UNDER_OVERRIDE in caveats for caveats in told]
    assert newer == [False, True, True, False, False]


def test_a_correction_under_an_override_leaves_its_citers_ok_with_a_caveat(world: World) -> None:
    saved = world.two_claims()
    world.override("cap", bind=saved.cap)
    world.version("cap", "€5m", corrects=saved.cap)
    world.settle()
    [claim, _] = world.show(saved.answer_id).claims
    assert (claim.state, claim.caveats) == (ClaimState.OK, (Caveat.NEWER_UNDER_OVERRIDE,))


def test_an_overrides_own_text_can_be_cited(world: World) -> None:
    world.version("cap", "€2m")
    made = world.override("cap", text="The cap is €9m.")
    answer_id = world.answer(Said("The cap is €9m.", [Cite("cap", made.tx, "€9m")]))
    assert world.status(answer_id) is Status.CURRENT
    world.release(made.override_id)
    world.settle()
    [claim] = world.show(answer_id).claims
    assert claim.state is ClaimState.AFFECTED
