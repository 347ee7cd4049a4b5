"""What the audit queries answer: each question asked of a small graph made by the flow."""

from collections.abc import Callable
from typing import Any

import pytest
from neo4j import Driver

from app.core.instants import DAY, SECOND
from app.flow.audit import run_audit
from app.graph.audits import Neo4jAudits, load_audits
from app.graph.store import Neo4jStore
from tests.builders import CAP, NOON, Cite, Said, World

AUDITS = load_audits()

Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def world(store: Neo4jStore) -> World:
    return World(store)


@pytest.fixture
def ask(driver: Driver, world: World) -> Ask:
    audits = Neo4jAudits(driver)

    def asked(name: str, **given: object) -> list[dict[str, Any]]:
        return run_audit(audits, world.tenant, name, given, now=world.clock.now())

    return asked


def columns(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


# citations_of_answer


def test_a_citation_wins_until_a_newer_version_does(world: World, ask: Ask) -> None:
    two = world.two_claims()
    shown = ("claim", "state", "source_id", "cited_tx", "wins", "winning_tx")
    rows = ask("citations_of_answer", answer_id=two.answer_id)
    assert columns(rows, *shown) == [
        (0, "ok", "cap", two.cap, True, two.cap),
        (1, "ok", "sky", two.sky, True, two.sky),
    ]
    world.clock.advance(1)
    newer = world.version("cap", "The cap is €5m.").tx
    rows = ask("citations_of_answer", answer_id=two.answer_id)
    assert columns(rows, *shown)[0] == (0, "ok", "cap", two.cap, False, newer)
    world.settle()
    rows = ask("citations_of_answer", answer_id=two.answer_id)
    assert rows[0]["state"] == "affected"
    assert (rows[0]["start"], rows[0]["end"]) == (11, 14)
    assert (rows[0]["wins_from"], rows[0]["wins_to"], rows[0]["removal"]) == (newer, None, None)
    assert [part.get("type") for part in rows[0]["tile"][1::2]] == ["WINS"]
    assert rows[0]["cited"][-1]["properties"]["tx"] == two.cap
    assert rows[0]["made"][0]["properties"]["answer_id"] == two.answer_id


def test_a_citation_is_judged_at_its_claims_instant(world: World, ask: Ask) -> None:
    cited = world.version("cap", validFrom=NOON - DAY).tx
    cite = [Cite("cap", cited, "€2m")]
    answer = world.answer(
        Said("Pinned.", cite, valid_time=NOON - 5), Said("Not pinned.", cite), Said("Bare.")
    )
    world.version("cap", "The cap is €5m.", validFrom=NOON)
    rows = ask("citations_of_answer", answer_id=answer)
    assert columns(rows, "claim", "at", "wins") == [
        (0, NOON - 5, True),
        (1, NOON, False),
        (2, NOON, None),
    ]
    rows = ask("citations_of_answer", answer_id=answer, at=NOON - 1)
    assert [row["wins"] for row in rows] == [True, True, None]


def test_a_removed_citation_does_not_win_and_nobody_wins_after_an_end(
    world: World, ask: Ask
) -> None:
    two = world.two_claims()
    world.clock.advance(1)
    world.withdraw("cap", two.cap)
    world.end("sky")
    rows = ask("citations_of_answer", answer_id=two.answer_id)
    assert columns(rows, "removal", "wins", "winning_tx", "tile") == [
        ("withdrawn", False, None, None),
        (None, False, None, None),
    ]


# answers_touched_by_source


def test_the_dry_run_tells_what_a_change_then_does_worst_first(world: World, ask: Ask) -> None:
    two = world.two_claims()
    cite = [Cite("cap", two.cap, "€2m")]
    whole = world.answer(Said("The cap is €2m.", cite))
    world.ask("cap", "q1")
    waiting = world.answer(Said("It depends.", cite, pending=["q1"]), Said("So.", cite))
    world.delete(world.answer(Said("Deleted.", cite)))
    world.answer(Said("Elsewhere.", [Cite("sky", two.sky, "blue")]))
    rows = ask("answers_touched_by_source", source_id="cap")
    assert columns(rows, "answer_id", "status", "would_be", "newly_affected", "citing_claims") == [
        (waiting, "pending", "pending", [1], [0, 1]),
        (whole, "current", "stale", [0], [0]),
        (two.answer_id, "current", "partially_stale", [0], [0]),
    ]
    assert {row["evidence"][0][-1]["properties"]["tx"] for row in rows} == {two.cap}
    assert [part["labels"] for part in rows[0]["watch"][::2]] == [
        ["Source"],
        ["Watch"],
        ["SAVED_ANSWER"],
    ]
    world.clock.advance(1)
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert {row["answer_id"]: row["would_be"] for row in rows} == {
        answer: world.status(answer) for answer in (waiting, whole, two.answer_id)
    }


def test_claims_pinned_to_an_instant_are_told_apart(world: World, ask: Ask) -> None:
    cite = [Cite("cap", world.version("cap").tx, "€2m")]
    world.answer(Said("Then.", cite, valid_time=NOON), Said("Now.", cite))
    [row] = ask("answers_touched_by_source", source_id="cap")
    assert row["pinned_claims"] == [0]


# history_of_answer, why_rechecked, supersession_chain


def test_the_history_tells_each_version_its_event_and_what_displaced(
    world: World, ask: Ask
) -> None:
    two = world.two_claims()
    world.clock.advance(1)
    newer = world.version("cap", "The cap is €5m.").tx
    world.settle()
    world.close_windows()
    world.delete(two.answer_id)
    rows = ask("history_of_answer", answer_id=two.answer_id)
    shown = ("seq", "why", "status", "claim_states", "event_number")
    assert columns(rows, *shown) == [
        (3, "deleted", "partially_stale", ["affected", "ok"], None),
        (2, "check", "partially_stale", ["affected", "ok"], 1),
        (1, "saved", "current", ["ok", "ok"], None),
    ]
    [[displaced]] = [row["displaced_by"] for row in rows if row["seq"] == 2]
    assert displaced[-1]["properties"]["tx"] == newer
    assert [row["head"] is not None for row in rows] == [True, False, False]
    assert [row["older"] is not None for row in rows] == [True, True, False]
    assert rows[1]["event"] is not None
    assert rows[2]["recorded"] == "2026-03-01T12:00:00Z"


def changes(rows: list[dict[str, Any]]) -> dict[tuple[str, int], str]:
    return {(row["target"], row["seq"]): row["outcome"] for row in rows if row["kind"] == "change"}


def test_why_tells_what_became_of_each_change(world: World, ask: Ask) -> None:
    cap, sky = world.version("cap").tx, world.version("sky", "It is blue.").tx
    world.ask("cap", "q1")
    world.clock.advance(1)
    claims = [
        Said("The cap.", [Cite("cap", cap, "€2m")], pending=["q1"]),
        Said("The sky.", [Cite("sky", sky, "blue")]),
    ]
    trace = world.trace(*claims).trace_id
    world.version("cap", "Between trace and save.")
    answer = world.save(trace).answer_id
    assert changes(ask("why_rechecked", answer_id=answer)) == {("cap", 2): "still open"}
    world.dispatch()
    assert changes(ask("why_rechecked", answer_id=answer)) == {("cap", 2): "waiting"}
    world.run_jobs()
    assert changes(ask("why_rechecked", answer_id=answer)) == {("cap", 2): "covered"}
    world.clock.advance(1)
    world.clarify("bound", "q1", text="So.")
    world.version("sky", "It is grey.")
    world.settle()
    world.version("sky", "It is black.")
    world.dispatch()
    rows = ask("why_rechecked", answer_id=answer)
    seen = {("cap", 2): "covered", ("q1", 2): "checked", ("sky", 2): "checked"}
    assert changes(rows) == seen | {("sky", 3): "waiting"}
    [waiting] = [row for row in rows if row["outcome"] == "waiting"]
    assert waiting["job"][0]["properties"]["job_id"] == waiting["job_id"]
    assert waiting["fire"] is None
    assert {row["checked_at"] for row in rows if row["outcome"] == "checked"} == {NOON + 2 * SECOND}
    assert [row["checked_at"] for row in rows if row["kind"] == "check"] == [
        NOON + 2 * SECOND,
        NOON + 1 * SECOND,
    ]
    world.delete(answer)
    assert changes(ask("why_rechecked", answer_id=answer)) == seen | {("sky", 3): "deleted"}


def test_why_tells_jobs_that_no_change_caused(world: World, ask: Ask) -> None:
    two = world.two_claims()
    world.clock.advance(8 * DAY // SECOND)
    world.due()
    rows = [row for row in ask("why_rechecked", answer_id=two.answer_id) if row["kind"] == "job"]
    assert columns(rows, "what", "outcome") == [("due", "waiting"), ("first", "done")]


def test_why_tells_a_parked_job_and_a_lost_change(world: World, ask: Ask, driver: Driver) -> None:
    two = world.two_claims()
    world.clock.advance(1)
    world.version("cap", "The cap is €5m.")
    world.dispatch()
    lease = world.leased()
    lease.put_back(world.store, reason="broken", now=0, max_attempts=1)
    assert changes(ask("why_rechecked", answer_id=two.answer_id)) == {("cap", 1): "covered"} | {
        ("sky", 1): "covered",
        ("cap", 2): "parked",
    }
    driver.execute_query(
        "MATCH (j:Job {tenant: $tenant, state: 'parked'}) DETACH DELETE j", tenant=world.tenant
    )
    assert changes(ask("why_rechecked", answer_id=two.answer_id))["cap", 2] == "lost"


def test_a_superseded_answer_is_told_with_its_chain(world: World, ask: Ask, driver: Driver) -> None:
    """Refresh is not built yet, so the chain is made by hand."""
    cite = [Cite("cap", world.version("cap").tx, "€2m")]
    oldest, middle, newest = (world.answer(Said(f"Claim {n}.", cite)) for n in range(3))
    other = world.answer(Said("Alone.", cite))
    for new, old in ((middle, oldest), (newest, middle)):
        driver.execute_query(
            "MATCH (n:SAVED_ANSWER {tenant: $tenant, answer_id: $new}) "
            "MATCH (o:SAVED_ANSWER {tenant: $tenant, answer_id: $old})-[:HEAD]->(v) "
            "CREATE (n)-[:SUPERSEDES]->(o) SET o.status = 'superseded', v.status = 'superseded'",
            tenant=world.tenant,
            new=new,
            old=old,
        )
    for asked in (oldest, middle, newest):
        rows = ask("supersession_chain", answer_id=asked)
        assert set(columns(rows, "answer_id", "supersedes", "status")) == {
            (newest, middle, "current"),
            (middle, oldest, "superseded"),
            (oldest, None, "superseded"),
        }
    [alone] = ask("supersession_chain", answer_id=other)
    assert (alone["supersedes"], alone["link"]) == (None, None)
    assert alone["trace"] is not None
    assert ask("status_equals_fold") == []
    world.clock.advance(1)
    world.version("cap", "The cap is €5m.")
    world.settle()
    assert changes(ask("why_rechecked", answer_id=middle))["cap", 2] == "superseded"
    touched = [row["answer_id"] for row in ask("answers_touched_by_source", source_id="cap")]
    assert sorted(touched) == sorted([newest, other])


# answers_due


def test_answers_are_due_by_age_or_by_the_clock_alone(world: World, ask: Ask) -> None:
    ends = NOON + 3 * DAY
    expiring = world.version("cap", validFrom=NOON - DAY, validTo=ends).tx
    steady = world.version("sky", "It is blue.").tx
    soon = world.answer(Said("The cap.", [Cite("cap", expiring, "€2m")]))
    pinned = world.answer(Said("Then.", [Cite("cap", expiring, "€2m")], valid_time=NOON))
    late = world.answer(Said("The sky.", [Cite("sky", steady, "blue")]))
    world.delete(world.answer(Said("Gone.", [Cite("cap", expiring, "€2m")])))
    week = {"from": NOON, "until": NOON + 30 * DAY}
    rows = ask("answers_due", **week)
    assert columns(rows, "answer_id", "due_at", "expires_at")[0] == (soon, ends, ends)
    assert {row["answer_id"]: row["due_at"] for row in rows[1:]} == {
        pinned: NOON + 7 * DAY,
        late: NOON + 7 * DAY,
    }
    assert rows[0]["soonest"] == "2026-03-04T12:00:00Z"
    [tile] = rows[0]["tiles"]
    assert tile[1]["properties"]["valid_to"] == ends
    assert [row["tiles"] for row in rows[1:]] == [[], []]
    assert ask("answers_due", **{"from": NOON, "until": ends}) == []
    assert columns(ask("answers_due", **{"from": ends, "until": ends + 1}), "answer_id") == [
        (soon,)
    ]


def test_an_expiry_may_wait_for_a_tile_that_starts(world: World, ask: Ask) -> None:
    starts = NOON + DAY
    cited = world.version("cap").tx
    world.clock.advance(1)
    world.version("cap", "The cap is €5m.", validFrom=starts)
    answer = world.answer(Said("The cap.", [Cite("cap", cited, "€2m")]))
    [row] = ask("answers_due", **{"from": NOON, "until": starts + 1})
    assert (row["answer_id"], row["expires_at"]) == (answer, starts)
    assert sorted(tile[1]["properties"]["valid_from"] for tile in row["tiles"]) == [NOON, starts]


# Sources


def test_sources_are_ordered_by_how_many_answers_rest_on_them(world: World, ask: Ask) -> None:
    two = world.two_claims()
    world.answer(Said("The cap.", [Cite("cap", two.cap, "€2m")]))
    world.delete(world.answer(Said("The sky.", [Cite("sky", two.sky, "blue")])))
    world.version("nobody", "Nobody cites this.")
    world.clock.advance(1)
    world.version("sky", "The sky is grey.")
    world.settle()
    rows = ask("sources_with_most_dependants", limit=5)
    shown = ("source_id", "answers", "not_current", "changes", "versions", "tiles")
    assert columns(rows, *shown) == [("cap", 2, 1, 1, 1, 1), ("sky", 1, 1, 2, 2, 2)]
    assert columns(ask("sources_with_most_dependants", limit=1), "source_id") == [("cap",)]


def test_versions_that_never_won_say_why(world: World, ask: Ask) -> None:
    first = world.version("cap", tx=NOON - DAY, validFrom=NOON - DAY).tx
    late, wrong, gone, text = (NOON - 2 * DAY + n for n in range(4))
    for tx in (late, wrong, gone):
        world.version("cap", f"Late {tx}.", tx=tx, validFrom=NOON - DAY)
    better = world.version("cap", "Late and corrected.", tx=wrong + 10, corrects=wrong).tx
    world.withdraw("cap", gone)
    world.end("cap", validFrom=NOON + DAY)
    world.end("cap", validFrom=0)
    world.override("cap", bind=first)
    world.override("cap", text="A steward's own words.", tx=text, validFrom=NOON - DAY)
    rows = ask("versions_that_never_won")
    assert columns(rows, "source_id", "tx", "why", "winning_tx") == [
        ("cap", late, "outranked", first),
        ("cap", wrong, "corrected", first),
        ("cap", gone, "withdrawn", first),
        ("cap", text, "its override never won", first),
        ("cap", better, "outranked", first),
    ]
    assert rows[0]["version"] is not None
    assert rows[0]["tile"] is not None


def test_an_override_with_something_newer_under_it_is_listed_until_released(
    world: World, ask: Ask
) -> None:
    two = world.two_claims()
    world.clock.advance(1)
    override = world.override("cap", bind=two.cap, reason="Legal says so.")
    assert ask("overrides_with_newer") == []
    world.clock.advance(1)
    world.version("cap", "Elsewhere in time.", validFrom=0, validTo=1)
    assert ask("overrides_with_newer") == []
    newer = world.version("cap", "The cap is €5m.").tx
    [row] = ask("overrides_with_newer")
    shown = ("override_tx", "bound_tx", "newer", "newest_tx", "answers", "reason")
    assert columns([row], *shown) == [(override.tx, two.cap, 1, newer, 1, "Legal says so.")]
    assert row["bound"] is not None
    assert row["under"] is not None
    world.release(override.override_id)
    assert ask("overrides_with_newer") == []


def test_an_override_whose_version_is_withdrawn_has_nothing_newer_under_it(
    world: World, ask: Ask
) -> None:
    cap = world.version("cap", CAP).tx
    world.override("cap", bind=cap)
    world.clock.advance(1)
    world.version("cap", "The cap is €5m.")
    assert len(ask("overrides_with_newer")) == 1
    world.withdraw("cap", cap)
    assert ask("overrides_with_newer") == []
