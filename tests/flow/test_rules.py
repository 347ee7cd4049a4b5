"""The re-check rules over the graph: which instant, which cause, which caveat, and when again."""

import pytest

from app.config import AnswersSettings
from app.core.instants import DAY, HOUR, MINUTE, SECOND
from app.core.rules import Verdict
from app.core.states import CauseKind, Caveat, ClaimState, Severity, Status
from tests.builders import NOON, Cite, Said, World
from tests.dumps import Graph
from tests.fakes import FixedVerifier


def cap_claim(world: World, tx: int, *, valid_time: int | None = None) -> str:
    """Save and check an answer with one claim on the version of ``cap`` at a tx."""
    return world.answer(Said("The cap.", [Cite("cap", tx, "cap")], valid_time=valid_time))


def cause(world: World, answer_id: str) -> tuple[CauseKind, int | None]:
    """Return kind and winner of the one cause of an answer's one claim."""
    [claim] = world.show(answer_id).claims
    [found] = claim.causes
    return found.kind, found.winning_tx


# Why a citation lost


def test_a_newer_version_a_correction_and_an_end_are_told_apart(world: World) -> None:
    cited = world.version("cap", "cap a")
    answer_id = cap_claim(world, cited.tx)
    newer = world.version("cap", "cap b")
    world.settle()
    assert cause(world, answer_id) == (CauseKind.NEWER_VERSION, newer.tx)
    world.withdraw("cap", newer.tx)
    right = world.version("cap", "cap c", corrects=cited.tx)
    world.settle()
    assert cause(world, answer_id) == (CauseKind.CORRECTED, right.tx)
    world.end("cap")
    world.settle()
    assert cause(world, answer_id) == (CauseKind.SOURCE_ENDED, None)


def test_a_version_whose_window_has_ended_expired(world: World) -> None:
    cited = world.version("cap", "cap a", validFrom=NOON - HOUR, validTo=NOON - 1)
    assert cause(world, cap_claim(world, cited.tx)) == (CauseKind.EXPIRED, None)


def test_a_version_whose_window_is_to_come_is_not_yet_valid(world: World) -> None:
    cited = world.version("cap", "cap a", validFrom=NOON + HOUR)
    assert cause(world, cap_claim(world, cited.tx)) == (CauseKind.NOT_YET_VALID, None)


def test_the_version_keeps_who_displaced_its_citations(world: World, graph: Graph) -> None:
    saved = world.two_claims()
    newer = world.version("cap", "€5m")
    world.settle()
    affected = """MATCH (:SAVED_ANSWER {tenant: $tenant})-[:HEAD]->(v:AnswerVersion)
                  MATCH (v)-[x:AFFECTED_BY]->(n) RETURN v.seq AS seq, x.idx AS idx, n.tx AS tx"""
    assert graph.rows(affected, world.tenant) == [{"seq": 2, "idx": 0, "tx": newer.tx}]
    assert world.show(saved.answer_id).claims[0].last_change_tx == newer.tx


def test_any_cited_version_that_lost_affects_its_claim_and_all_causes_are_kept(
    world: World,
) -> None:
    cap, sky = world.version("cap").tx, world.version("sky", "blue").tx
    both = [Cite("cap", cap, "€2m"), Cite("cap", cap, "year"), Cite("sky", sky, "blue")]
    answer_id = world.answer(Said("Both.", both))
    world.version("cap", "€5m")
    world.cascade("sky")
    world.settle()
    [claim] = world.show(answer_id).claims
    assert claim.state is ClaimState.INVALIDATED
    assert [(each.source_id, each.kind) for each in claim.causes] == [
        ("cap", CauseKind.NEWER_VERSION),
        ("cap", CauseKind.NEWER_VERSION),
        ("sky", CauseKind.TOMBSTONED),
    ]


# The instant at which a claim is judged


def test_a_pinned_claim_is_judged_at_its_own_time_and_says_so(world: World) -> None:
    old = world.version("cap", "cap a", validFrom=NOON - 2 * DAY)
    world.version("cap", "cap b", validFrom=NOON - DAY)
    then = cap_claim(world, old.tx, valid_time=NOON - DAY - 1)
    [claim] = world.show(then).claims
    assert (claim.state, claim.caveats) == (ClaimState.OK, (Caveat.JUDGED_AS_OF,))
    late = world.version("cap", "cap c", tx=NOON - 5, validFrom=NOON - 2 * DAY)
    world.settle()
    assert world.status(then) is Status.CURRENT
    world.withdraw("cap", late.tx)
    world.version("cap", "cap d", validFrom=NOON - 2 * DAY + 1)
    world.settle()
    assert world.status(then) is Status.STALE


def test_the_time_basis_pins_unless_it_is_the_moment_of_asking(world: World) -> None:
    old = world.version("cap", "cap a", validFrom=NOON - 2 * DAY)
    world.version("cap", "cap b", validFrom=NOON - DAY)
    said = Said("The cap.", [Cite("cap", old.tx, "cap")])
    as_of = {"txTime": NOON, "validTime": NOON - DAY - 1}
    asked_now = {"txTime": NOON, "validTime": NOON}
    assert world.status(world.answer(said, timeBasis=as_of)) is Status.CURRENT
    assert world.status(world.answer(said, timeBasis=asked_now)) is Status.STALE


def test_a_worker_whose_clock_lags_judges_after_the_write_that_woke_it(world: World) -> None:
    cited = world.version("cap", "cap a", tx=NOON - HOUR)
    answer_id = cap_claim(world, cited.tx)
    world.version("cap", "cap b")
    world.clock.at = NOON - HOUR // 2
    world.settle()
    assert world.status(answer_id) is Status.STALE


# When it is due again


def test_an_answer_expires_by_the_clock_alone_at_the_time_foretold(world: World) -> None:
    cited = world.version("cap", "cap a", validFrom=NOON - DAY, validTo=NOON + HOUR)
    answer_id = cap_claim(world, cited.tx)
    shown = world.show(answer_id)
    assert (shown.expires_at, shown.recheck_due_at) == (NOON + HOUR, NOON + HOUR)

    world.clock.at = NOON + HOUR - 1
    assert world.due().due == 0
    world.clock.advance(1)
    assert world.due().due == 1
    world.settle()
    assert world.status(answer_id) is Status.STALE
    [claim] = world.show(answer_id).claims
    assert claim.fire_id is None
    world.close_windows()
    assert len(world.events()) == 1


def test_the_announcement_of_a_future_version_moves_the_due_time_and_no_state(world: World) -> None:
    cited = world.version("cap", "cap a")
    answer_id = cap_claim(world, cited.tx)
    assert world.show(answer_id).expires_at is None
    world.version("cap", "cap b", validFrom=NOON + DAY)
    world.settle()
    shown = world.show(answer_id)
    assert (shown.status, shown.expires_at, shown.recheck_due_at) == (
        Status.CURRENT,
        NOON + DAY,
        NOON + DAY,
    )
    assert len(shown.history) == 1


def test_pinned_claims_are_due_by_age_alone(world: World) -> None:
    cited = world.version("cap", "cap a", validFrom=NOON - DAY, validTo=NOON + HOUR)
    shown = world.show(cap_claim(world, cited.tx, valid_time=NOON - HOUR))
    assert (shown.expires_at, shown.recheck_due_at) == (None, NOON + 7 * DAY)


def test_the_end_of_a_tile_of_any_unpinned_claim_counts(world: World) -> None:
    cap = world.version("cap", "cap a", validFrom=NOON - DAY, validTo=NOON + 3 * HOUR)
    sky = world.version("sky", "sky a")
    world.version("sky", "sky b", validFrom=NOON + 2 * HOUR)
    answer_id = world.answer(
        Said("a", [Cite("cap", cap.tx, "cap")]), Said("b", [Cite("sky", sky.tx, "sky")])
    )
    assert world.show(answer_id).expires_at == NOON + 2 * HOUR


def test_checked_through_is_what_was_read_and_does_not_move_without_a_check(world: World) -> None:
    saved = world.two_claims()
    assert world.show(saved.answer_id).checked_through == NOON
    world.clock.advance(10)
    world.version("cap", "€5m")
    assert world.show(saved.answer_id).checked_through == NOON
    world.settle()
    assert world.show(saved.answer_id).checked_through == NOON + 10 * SECOND


# Rule 4


@pytest.mark.parametrize(
    ("verdict", "material", "state", "severity", "caveats"),
    [
        (Verdict.SUPPORTED, False, ClaimState.OK, None, ()),
        (Verdict.PARTIAL, False, ClaimState.AFFECTED, None, ()),
        (Verdict.UNSUPPORTED, True, ClaimState.AFFECTED, Severity.MATERIAL, ()),
        (Verdict.FAILED, False, ClaimState.AFFECTED, None, (Caveat.VERIFICATION_UNAVAILABLE,)),
    ],
)
def test_a_verdict_clears_an_affected_claim_or_leaves_it(
    world: World,
    verdict: Verdict,
    material: bool,
    state: ClaimState,
    severity: Severity | None,
    caveats: tuple[str, ...],
) -> None:
    verifier = FixedVerifier(verdict, material)
    world.verifier = verifier
    saved = world.two_claims()
    assert verifier.asked == []
    world.version("cap", "€5m")
    world.settle()
    assert verifier.asked == [(saved.answer_id, 0)]
    shown = world.show(saved.answer_id)
    [claim, untouched] = shown.claims
    assert (claim.state, claim.severity, claim.caveats) == (state, severity, caveats)
    assert shown.severity == severity
    assert untouched.state is ClaimState.OK


def test_rule_four_is_asked_of_affected_claims_only(world: World) -> None:
    verifier = FixedVerifier(Verdict.SUPPORTED)
    world.verifier = verifier
    saved = world.two_claims()
    world.cascade("cap")
    world.settle()
    assert verifier.asked == []
    assert world.status(saved.answer_id) is Status.INVALIDATED


def test_rule_four_can_be_switched_off_and_says_so(world: World) -> None:
    world.verifier = FixedVerifier(Verdict.SUPPORTED)
    world.answers = AnswersSettings(enabled=True, reverify_on_affected=False)
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.settle()
    [claim, _] = world.show(saved.answer_id).claims
    assert (claim.state, claim.caveats) == (ClaimState.AFFECTED, (Caveat.VERIFICATION_OFF,))


def test_a_model_that_failed_is_asked_again_after_ten_minutes_doubling(world: World) -> None:
    world.verifier = FixedVerifier(Verdict.FAILED)
    saved = world.two_claims()
    world.version("cap", "€5m")
    world.settle()
    for pause in (10, 20, 40):
        shown = world.show(saved.answer_id)
        assert shown.recheck_due_at == world.clock.now() + pause * MINUTE
        world.clock.advance(pause * 60)
        assert world.due().due == 1
        world.settle()
    world.verifier = FixedVerifier(Verdict.SUPPORTED)
    world.clock.advance(80 * 60)
    world.due()
    world.settle()
    assert world.status(saved.answer_id) is Status.CURRENT


# The trail


def test_each_commit_writes_one_audit_event_with_the_outcome_of_each_answer(
    world: World, graph: Graph
) -> None:
    saved = world.two_claims()
    world.check(saved.answer_id)
    world.version("cap", "€5m")
    world.settle()
    events = """MATCH (e:AuditEvent {tenant: $tenant, kind: 'answer.checked'})
                RETURN e.answers AS answers, e.outcomes AS outcomes,
                       EXISTS { (e)-[:ON]->(:SAVED_ANSWER) } AS changed ORDER BY e.at"""
    rows = graph.rows(events, world.tenant)
    assert [row["answers"] for row in rows] == [[saved.answer_id]] * 3
    assert sorted(outcome for row in rows for outcome in row["outcomes"]) == [
        "current -> partially_stale, verification:unavailable",
        "current, unchanged",
        "current, unchanged, first check",
    ]
    assert sorted(row["changed"] for row in rows) == [False, False, True]


def test_a_check_covers_each_change_by_one_fire(world: World, graph: Graph) -> None:
    world.two_claims()
    world.version("cap", "€5m")
    world.version("cap", "€6m")
    world.version("sky", "grey")
    world.settle()
    fires = """MATCH (f:WatchFire {tenant: $tenant})-[:BECAUSE]->(c:Change)
               MATCH (f)-[:OF]->(:Watch)
               RETURN c.target_key AS key, c.seq AS seq ORDER BY key, seq"""
    rows = [(row["key"].split("\x1f")[1], row["seq"]) for row in graph.rows(fires, world.tenant)]
    assert rows == [("cap", 2), ("cap", 3), ("sky", 2)]
