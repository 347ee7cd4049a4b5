"""Memory that versions: what becomes of a statement, and who wins afterwards (DESIGN §4)."""

from typing import Any

import pytest

from app.core.errors import NotFound
from app.core.instants import DAY, LATEST, MINUTE
from app.core.values import MAX_KEY_BYTES, MAX_TEXT_BYTES
from app.flow.sources import list_versions, read_version, read_winner
from tests.builders import NOON, World, refused
from tests.dumps import Graph

CHANGES = "MATCH (c:Change {tenant: $tenant}) RETURN count(c)"
CHAIN = """
MATCH (v:SourceVersion {tenant: $tenant})
RETURN v.tx AS tx, COLLECT { MATCH (v)-[:PREVIOUS]->(p) RETURN p.tx } AS previous
ORDER BY tx
"""


def wins_at(world: World, at: int, **known: int) -> int | None:
    """Return the tx of the winner of ``cap``."""
    try:
        return read_winner(world.store, world.tenant, "cap", at=at, **known).tx
    except NotFound:
        return None


# A version


def test_a_version_without_any_stamp_wins_from_its_tx_on(world: World) -> None:
    told = world.version("cap", "€2m")
    assert (told.outcome, told.tx, told.valid_from, told.valid_to) == ("stored", NOON, NOON, None)
    assert told.wins_now
    assert told.why_not is None
    assert wins_at(world, NOON) == NOON
    assert wins_at(world, NOON - 1) is None


@pytest.mark.parametrize(
    "text", ["a\r\nb\n", "e\u0301", "trailing \t ", "\ufeffbom", "€ 😀 \u202f", ""]
)
def test_text_is_stored_as_given(world: World, text: str) -> None:
    told = world.version("cap", text)
    assert read_version(world.store, world.tenant, "cap", told.tx).text == text


def test_valid_from_defaults_to_the_earlier_of_stamp_and_tx(world: World) -> None:
    assert world.version("a", sourceTs=NOON - 5).valid_from == NOON - 5
    assert world.version("b", sourceTs=NOON + 5).valid_from == NOON


def test_a_date_only_stamp_does_not_lose_silently_to_a_version_that_had_none(world: World) -> None:
    world.version("cap", "€2m")
    world.clock.advance(10)
    midnight = NOON - DAY // 2
    told = world.version("cap", "€5m", sourceTs=midnight)
    assert told.wins_now
    assert told.valid_from == NOON


def test_a_late_arrival_with_an_older_tx_keeps_its_own_start(world: World) -> None:
    world.version("cap", "€2m")
    told = world.version("cap", "€1m", tx=NOON - DAY, sourceTs=NOON - DAY - 5)
    assert told.valid_from == NOON - DAY - 5


def test_an_older_state_that_arrives_late_displaces_nothing(world: World) -> None:
    newest = world.version("cap", "€2m")
    late = world.version("cap", "€1m", tx=NOON - DAY)
    assert (late.wins_now, late.why_not, late.winning_tx) == (False, "newer_version", newest.tx)
    assert wins_at(world, NOON) == newest.tx
    assert wins_at(world, NOON - 1) == late.tx


def test_the_greater_start_wins_over_the_greater_tx(world: World) -> None:
    later_start = world.version("cap", "€2m", tx=NOON - 10, validFrom=NOON - 3)
    greater_tx = world.version("cap", "€1m", tx=NOON - 1, validFrom=NOON - 5)
    assert wins_at(world, NOON) == later_start.tx
    assert greater_tx.why_not == "newer_version"


def test_a_window_ends_and_the_older_open_one_wins_again(world: World) -> None:
    old = world.version("cap", "€2m", tx=NOON - 10, validFrom=NOON - 10)
    short = world.version("cap", "€3m", validFrom=NOON, validTo=NOON + 5)
    assert [wins_at(world, NOON + at) for at in (-1, 0, 4, 5)] == [
        old.tx,
        short.tx,
        short.tx,
        old.tx,
    ]


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ({"validFrom": NOON + 1}, "not_yet_valid"),
        ({"validFrom": NOON - 9, "validTo": NOON - 3}, "expired"),
        ({"validFrom": NOON - 9}, "newer_version"),
    ],
)
def test_ingest_says_why_a_version_does_not_win_now(
    world: World, stated: dict[str, int], why: str
) -> None:
    world.version("cap", "€1m", tx=NOON - 5, validFrom=NOON - 5)
    told = world.version("cap", "€2m", **stated)
    assert (told.wins_now, told.why_not) == (False, why)


# tx


def test_the_clock_names_a_version_and_never_twice(world: World) -> None:
    assert world.version("cap", "a").tx == NOON
    assert world.version("cap", "b").tx == NOON + 1
    assert world.version("other", "a").tx == NOON


def test_a_stated_tx_just_ahead_counts_as_not_stated_and_the_caller_is_told(world: World) -> None:
    told = world.version("cap", "a", tx=NOON + 5 * MINUTE - 1)
    assert told.tx == NOON
    assert told.note is not None


def test_a_stated_tx_five_minutes_ahead_is_refused_and_nothing_is_written(
    world: World, graph: Graph
) -> None:
    refusal = refused(lambda: world.version("cap", "a", tx=NOON + 5 * MINUTE))
    assert (refusal.code, refusal.field) == ("TX_IN_FUTURE", "tx")
    assert graph.dump(world.tenant) == []


def test_the_same_tx_and_content_again_is_a_duplicate_without_effect(
    world: World, graph: Graph
) -> None:
    first = world.version("cap", "€2m", tx=NOON - 5)
    before = graph.dump(world.tenant)
    world.clock.advance(60)
    again = world.version("cap", "€2m", tx=first.tx)
    assert (again.outcome, again.tx) == ("duplicate", first.tx)
    assert graph.dump(world.tenant) == before


@pytest.mark.parametrize("other", [{"text": "€5m"}, {"validFrom": 7}, {"validTo": LATEST}])
def test_the_same_tx_with_other_content_is_a_conflict_without_effect(
    world: World, graph: Graph, other: dict[str, Any]
) -> None:
    world.version("cap", "€2m", tx=NOON - 5)
    before = graph.dump(world.tenant)
    stated: dict[str, Any] = {"text": "€2m", "tx": NOON - 5} | other
    refusal = refused(lambda: world.version("cap", **stated))
    assert (refusal.code, refusal.field) == ("TX_CONFLICT", "tx")
    assert graph.dump(world.tenant) == before


def test_the_chain_is_in_tx_order_with_one_predecessor_each_whatever_arrived_when(
    world: World, graph: Graph
) -> None:
    for step in (50, 10, 30, 20, 40):
        world.version("cap", f"v{step}", tx=step)
    chain = graph.rows(CHAIN, world.tenant)
    assert [row["tx"] for row in chain] == [10, 20, 30, 40, 50]
    assert [row["previous"] for row in chain] == [[], [10], [20], [30], [40]]


# Corrections


def test_a_correction_takes_the_window_of_what_it_corrects(world: World) -> None:
    wrong = world.version("cap", "€2m", validFrom=5, validTo=9)
    right = world.version("cap", "€5m", corrects=wrong.tx)
    assert (right.valid_from, right.valid_to) == (5, 9)
    assert wins_at(world, 5) == right.tx


def test_a_corrected_version_is_no_candidate_even_where_the_correction_does_not_hold(
    world: World,
) -> None:
    wrong = world.version("cap", "€2m", validFrom=5)
    world.version("cap", "€5m", corrects=wrong.tx, validFrom=8)
    assert wins_at(world, 6) is None


def test_of_several_corrections_the_one_with_the_greatest_tx_counts(world: World) -> None:
    wrong = world.version("cap", "€2m", tx=10)
    late = world.version("cap", "€5m", tx=30, corrects=wrong.tx)
    older = world.version("cap", "€4m", tx=20, corrects=wrong.tx)
    assert older.why_not == "corrected"
    assert wins_at(world, NOON) == late.tx
    world.withdraw("cap", late.tx)
    assert wins_at(world, NOON) == older.tx
    world.withdraw("cap", older.tx)
    assert wins_at(world, NOON) == wrong.tx


@pytest.mark.parametrize(
    ("corrects", "code"), [(7, "CORRECTED_UNKNOWN"), (NOON + 99, "CORRECTED_NOT_EARLIER")]
)
def test_a_correction_of_nothing_earlier_is_refused(
    world: World, graph: Graph, corrects: int, code: str
) -> None:
    world.version("cap", "€2m")
    before = graph.dump(world.tenant)
    refusal = refused(lambda: world.version("cap", "€5m", corrects=corrects))
    assert (refusal.code, refusal.field) == (code, "corrects")
    assert graph.dump(world.tenant) == before


def test_the_same_text_and_start_with_another_end_is_a_correction(world: World) -> None:
    open_ended = world.version("cap", "€2m", validFrom=5)
    ended = world.version("cap", "€2m", validFrom=5, validTo=9)
    assert ended.outcome == "stored"
    assert wins_at(world, 8) == ended.tx
    assert wins_at(world, 9) is None
    stored = read_version(world.store, world.tenant, "cap", ended.tx)
    assert stored.corrects_tx == open_ended.tx


# Observations and reverts


def test_the_same_text_again_is_an_observation_that_moves_nothing_else(
    world: World, graph: Graph
) -> None:
    first = world.version("cap", "€2m")
    world.clock.advance(60)
    again = world.version("cap", "€2m")
    assert (again.outcome, again.tx) == ("observed", first.tx)
    assert graph.count(world.tenant, "SourceVersion") == 1
    assert graph.one(CHANGES, world.tenant) == 1
    stored = read_version(world.store, world.tenant, "cap", first.tx)
    assert stored.observed_at == world.clock.now()


def test_the_same_stated_window_and_text_again_is_an_observation(world: World) -> None:
    world.version("cap", "€2m", validFrom=5, validTo=9)
    world.version("cap", "€3m", validFrom=9)
    assert world.version("cap", "€2m", validFrom=5, validTo=9).outcome == "observed"


def test_a_revert_is_a_new_version(world: World) -> None:
    first = world.version("cap", "€2m")
    world.version("cap", "€5m")
    reverted = world.version("cap", "€2m")
    assert reverted.outcome == "stored"
    assert reverted.tx > first.tx
    assert reverted.wins_now


def test_a_version_between_an_observation_and_its_version_wins_only_in_between(
    world: World,
) -> None:
    first = world.version("cap", "€2m", tx=10)
    world.version("cap", "€2m", tx=30)
    between = world.version("cap", "€5m", tx=20)
    assert [wins_at(world, at) for at in (10, 20, 29, 30, NOON)] == [
        first.tx,
        between.tx,
        between.tx,
        30,
        30,
    ]
    assert read_version(world.store, world.tenant, "cap", 30).text == "€2m"


def test_an_observations_tx_is_taken_for_other_content(world: World, graph: Graph) -> None:
    world.version("cap", "€2m", tx=10)
    world.version("cap", "€2m", tx=30)
    before = graph.dump(world.tenant)
    assert refused(lambda: world.version("cap", "€5m", tx=30)).code == "TX_CONFLICT"
    assert graph.dump(world.tenant) == before


# Ends


def test_an_end_leaves_no_winner_until_a_later_start(world: World) -> None:
    first = world.version("cap", "€2m", tx=10)
    ended = world.end("cap", tx=20)
    assert ended.wins_now
    later = world.version("cap", "€5m", tx=30)
    assert [wins_at(world, at) for at in (19, 20, 29, 30)] == [first.tx, None, None, later.tx]


def test_the_same_text_after_an_end_is_a_new_version(world: World) -> None:
    world.version("cap", "€2m", tx=10)
    world.end("cap", tx=20)
    assert world.version("cap", "€2m", tx=30).outcome == "stored"


def test_a_version_that_starts_before_a_standing_end_says_so(world: World) -> None:
    world.version("cap", "€2m", tx=10)
    world.end("cap", tx=20)
    assert world.version("cap", "€1m", tx=15).why_not == "source_ended"


# As of


def test_as_of_reads_give_back_what_stood(world: World) -> None:
    told = []
    for text in "abc":
        world.clock.advance(10)
        told.append(world.version("cap", text, validFrom=5))
    recorded = [told_.tx for told_ in told]  # the clock named them as it recorded them
    for known_at, expected in zip(recorded, told, strict=True):
        assert wins_at(world, 5, known_at=known_at) == expected.tx
    assert wins_at(world, 5, known_at=recorded[0] - 1) is None
    world.cascade("cap")
    assert wins_at(world, 5) is None
    assert wins_at(world, 5, known_at=recorded[2]) == told[2].tx


def test_versions_are_listed_as_they_were_recorded_by_an_instant(world: World) -> None:
    first = world.version("cap", "€2m").tx
    world.clock.advance(10)
    second = world.version("cap", "€5m").tx
    world.clock.advance(10)
    world.withdraw("cap", first)
    gone = world.clock.now()

    def known(at: int) -> list[tuple[int, str | None]]:
        found = list_versions(world.store, world.tenant, "cap", known_at=at)
        return [(version.tx, version.removal) for version in found]

    assert [known(at) for at in (first - 1, first, second - 1)] == [
        [],
        [(first, None)],
        [(first, None)],
    ]
    assert [known(at) for at in (second, gone - 1)] == [[(second, None), (first, None)]] * 2
    assert known(gone) == [(second, None), (first, "withdrawn")]


def test_what_is_said_again_after_its_displacer_was_withdrawn_is_an_observation(
    world: World,
) -> None:
    first = world.version("cap", "€2m", validFrom=5)
    world.withdraw("cap", world.version("cap", "€3m", validFrom=5).tx)
    world.clock.advance(5)
    again = world.version("cap", "€2m", validFrom=5)
    assert (again.outcome, again.tx) == ("observed", first.tx)


def test_the_first_microsecond_of_all_is_a_tx_and_a_start_like_any_other(world: World) -> None:
    world.version("cap", "€2m", tx=0, validFrom=0, validTo=9)
    assert [wins_at(world, at) for at in (0, 8, 9)] == [0, 0, None]
    assert world.version("cap", "€2m", tx=7, validFrom=0, validTo=9).outcome == "observed"
    assert [version.tx for version in list_versions(world.store, world.tenant, "cap")] == [0]
    world.cascade("cap")
    assert wins_at(world, 0) is None


@pytest.mark.parametrize("displaced", ["by another text", "by another end", "and overridden"])
def test_the_first_microsecond_speaks_for_what_is_said_again_past_other_starts(
    world: World, displaced: str
) -> None:
    world.version("cap", "€2m", tx=0, validFrom=0)
    world.version("cap", "€3m", tx=1, validFrom=1)
    assert world.version("cap", "€2m", tx=5, validFrom=0).outcome == "observed"
    if displaced == "by another end":
        world.version("cap", "€2m", tx=9, validFrom=0, validTo=50)
    else:
        world.version("cap", "€4m", tx=9, validFrom=0)
    if displaced == "and overridden":
        world.override("cap", text="€2m", validFrom=0)
    for tx in (4, 5):
        again = world.version("cap", "€2m", tx=tx, validFrom=0)
        assert (again.outcome, again.tx) == ("observed", 0)


def test_what_is_said_again_past_an_overrides_own_text_is_an_observation(world: World) -> None:
    first = world.version("cap", "€2m")
    world.clock.advance(5)
    world.override("cap", text="€9m")
    world.clock.advance(5)
    again = world.version("cap", "€2m")
    assert (again.outcome, again.tx) == ("observed", first.tx)


# The outbox


def test_a_tile_holds_from_its_start_until_just_before_its_end_now_and_as_known_then(
    world: World,
) -> None:
    points = (NOON - 10, NOON - 9, NOON - 6, NOON - 5)
    first = world.version("cap", "€2m", tx=1, validFrom=NOON - 9, validTo=NOON - 5)
    recorded = world.clock.now()
    world.clock.advance(1)
    second = world.version("cap", "€3m", tx=2, validFrom=NOON - 9, validTo=NOON - 5, corrects=1)
    corrected = world.clock.now()

    assert [wins_at(world, at) for at in points] == [None, second.tx, second.tx, None]
    gone = world.clock.advance(1)
    world.cascade("cap")
    for known_at, tx in (
        (recorded - 1, None),
        (recorded, first.tx),
        (corrected - 1, first.tx),
        (corrected, second.tx),
        (gone - 1, second.tx),
        (gone, None),
    ):
        found = [wins_at(world, at, known_at=known_at) for at in points]
        assert found == [None, tx, tx, None]


def test_each_write_leaves_one_change_and_what_changes_nothing_leaves_none(
    world: World, graph: Graph
) -> None:
    first = world.version("cap", "a")
    world.version("cap", "b")
    world.end("cap")
    world.version("cap", "a", tx=first.tx)
    assert refused(lambda: world.version("cap", "z", tx=first.tx)).code == "TX_CONFLICT"
    changes = (
        "MATCH (c:Change {tenant: $tenant}) RETURN c.seq AS seq, c.recorded_at AS at ORDER BY seq"
    )
    rows = graph.rows(changes, world.tenant)
    assert [row["seq"] for row in rows] == [1, 2, 3]
    assert [row["at"] for row in rows] == [NOON, NOON + 1, NOON + 2]


# Refusals

BAD = [
    ({"sourceId": "x" * (MAX_KEY_BYTES + 1)}, "sourceId", "KEY_TOO_LONG"),
    ({"sourceId": "é" * (MAX_KEY_BYTES // 2 + 1)}, "sourceId", "KEY_TOO_LONG"),
    ({"sourceId": "a\x1fb"}, "sourceId", "KEY_INVALID"),
    ({"sourceId": ""}, "sourceId", "KEY_INVALID"),
    ({"tenant": "a/b"}, "tenant", "TENANT_INVALID"),
    ({"tenant": ""}, "tenant", "TENANT_INVALID"),
    ({"tenant": None}, "tenant", "TENANT_INVALID"),
    ({"text": "x" * (MAX_TEXT_BYTES + 1)}, "text", "TEXT_TOO_LONG"),
    ({"text": "\ud800"}, "text", "TEXT_INVALID"),
    ({"tx": LATEST + 1}, "tx", "INSTANT_INVALID"),
    ({"tx": -1}, "tx", "INSTANT_INVALID"),
    ({"validFrom": "2026-03-01T12:00:00"}, "validFrom", "INSTANT_INVALID"),
    ({"validFrom": 1.5}, "validFrom", "INSTANT_INVALID"),
    ({"validTo": 2**63}, "validTo", "INSTANT_INVALID"),
]


@pytest.mark.parametrize(("stated", "field", "code"), BAD)
def test_what_is_out_of_limits_is_refused_naming_the_field_and_nothing_is_written(
    world: World, graph: Graph, stated: dict[str, Any], field: str, code: str
) -> None:
    body = {"source_id": "cap", "text": "a"}
    if "sourceId" in stated:
        body["source_id"] = stated["sourceId"]
    rest = {name: value for name, value in stated.items() if name != "sourceId"}
    refusal = refused(lambda: world.version(**body | rest))
    assert refusal.code == "PAYLOAD_INVALID"
    assert str(refusal).startswith(field)
    assert code in str(refusal)
    assert graph.dump(world.tenant) == []


def test_an_empty_window_is_refused_and_nothing_is_written(world: World, graph: Graph) -> None:
    for stated in ({"validFrom": 9, "validTo": 9}, {"validTo": NOON - 1}):
        refusal = refused(lambda stated=stated: world.version("cap", "a", **stated))  # type: ignore[misc]
        assert (refusal.code, refusal.field) == ("WINDOW_EMPTY", "valid_to")
    assert graph.dump(world.tenant) == []


def test_an_observation_whose_tx_another_version_took_stays_an_observation(world: World) -> None:
    seen = world.version("cap", "€2m", tx=1, validFrom=2)
    world.version("cap", "€3m", tx=5)
    assert world.version("cap", "€2m", tx=9, validFrom=2).outcome == "observed"
    took = world.version("cap", "€4m", tx=9)
    late = world.version("cap", "€5m", tx=3)
    assert (took.outcome, late.outcome) == ("stored", "stored")
    assert [wins_at(world, at) for at in (2, 3, 5, 9)] == [seen.tx, late.tx, 5, took.tx]
