"""Tombstones: one version withdrawn, or a source in cascade, for good (DESIGN §4)."""

from app.core.states import CauseKind, ClaimState, Status
from tests.builders import NOON, World, refused
from tests.dumps import Graph
from tests.flow.test_ingest import wins_at


def test_withdrawing_the_winner_lets_the_next_candidate_win(world: World) -> None:
    old, new = world.version("cap", "€2m", tx=10), world.version("cap", "€5m", tx=20)
    assert world.withdraw("cap", new.tx).tombstoned == 1
    assert wins_at(world, NOON) == old.tx


def test_withdrawing_an_end_brings_back_what_it_ended(world: World) -> None:
    version, end = world.version("cap", "€2m", tx=10), world.end("cap", tx=20)
    world.withdraw("cap", end.tx)
    assert wins_at(world, NOON) == version.tx


def test_withdrawing_twice_is_withdrawing_once(world: World, graph: Graph) -> None:
    told = world.version("cap", "€2m")
    world.withdraw("cap", told.tx)
    before = graph.dump(world.tenant)
    assert world.withdraw("cap", told.tx).tombstoned == 0
    assert graph.dump(world.tenant) == before


def test_what_does_not_exist_cannot_be_tombstoned(world: World, graph: Graph) -> None:
    assert refused(lambda: world.withdraw("cap", 5)).code == "SOURCE_UNKNOWN"
    assert refused(lambda: world.cascade("cap")).code == "SOURCE_UNKNOWN"
    assert graph.dump(world.tenant) == []
    world.version("cap", "€2m")
    assert refused(lambda: world.withdraw("cap", 5)).code == "VERSION_UNKNOWN"


def test_a_cascade_tombstones_all_and_leaves_no_winner(world: World) -> None:
    for text in "abc":
        world.version("cap", text)
    world.override("cap", text="own")
    assert world.cascade("cap").tombstoned == 4
    assert wins_at(world, NOON + 99) is None
    assert world.cascade("cap").tombstoned == 0


def test_a_later_version_starts_afresh_after_a_cascade_even_with_the_same_text(
    world: World,
) -> None:
    world.version("cap", "€2m")
    world.cascade("cap")
    world.clock.advance(10)
    again = world.version("cap", "€2m")
    assert (again.outcome, again.wins_now) == ("stored", True)


def test_a_replay_never_lifts_a_tombstone(world: World, graph: Graph) -> None:
    told = world.version("cap", "€2m", tx=10)
    world.version("cap", "€2m", tx=20)
    stated = world.version("cap", "€5m", tx=30, validFrom=30, validTo=40)
    world.cascade("cap")
    before = graph.dump(world.tenant)
    for replay in (
        world.version("cap", "€2m", tx=10),
        world.version("cap", "€2m", tx=20),
        world.version("cap", "€5m", tx=30, validFrom=30, validTo=40),
    ):
        assert (replay.outcome, replay.wins_now, replay.removal) == ("duplicate", False, "cascade")
    assert graph.dump(world.tenant) == before
    assert told.tx < stated.tx


def test_a_withdrawn_citation_invalidates_its_claim_and_names_the_winner(world: World) -> None:
    older = world.version("cap", "€1m", tx=5)
    saved = world.two_claims()
    world.withdraw("cap", saved.cap)
    world.settle()
    shown = world.show(saved.answer_id)
    assert shown.status is Status.INVALIDATED
    [claim, untouched] = shown.claims
    assert (claim.state, untouched.state) == (ClaimState.INVALIDATED, ClaimState.OK)
    [cause] = claim.causes
    assert (cause.kind, cause.winning_tx) == (CauseKind.TOMBSTONED, older.tx)


def test_withdrawing_what_displaced_a_citation_clears_the_claim(world: World) -> None:
    saved = world.two_claims()
    wrong = world.version("cap", "€5m")
    world.settle()
    assert world.status(saved.answer_id) is Status.PARTIALLY_STALE
    world.withdraw("cap", wrong.tx)
    world.settle()
    assert world.status(saved.answer_id) is Status.CURRENT


def test_a_tombstone_is_audited_with_who_did_it(world: World, graph: Graph) -> None:
    told = world.version("cap", "€2m")
    world.withdraw("cap", told.tx, actor="ana", reason="wrong file")
    world.cascade("cap", actor="ben")
    text = """MATCH (e:AuditEvent {tenant: $tenant})-[:ON]->(:Source)
              RETURN e.kind AS kind, e.actor AS actor ORDER BY e.at"""
    assert [(row["kind"], row["actor"]) for row in graph.rows(text, world.tenant)] == [
        ("source.withdraw", "ana")
    ]
    reason = "MATCH (v:SourceVersion {tenant: $tenant}) RETURN v.removal_reason"
    assert graph.one(reason, world.tenant) == "wrong file"
