"""What counts as a mistake in a Cypher statement, and what does not."""

from collections import Counter

import pytest

from app.graph.loader import load
from tests.mutation.mutants import mutants
from tests.mutation.plant import texts


def wrong(text: str, kind: str) -> list[str]:
    return [mutant.of(text) for mutant in mutants(text) if mutant.kind == kind]


def test_each_condition_of_a_where_is_dropped_in_turn() -> None:
    assert wrong("MATCH (a)\nWHERE a.x = 1 AND a.y AND NOT a.z\nRETURN a", "predicate") == [
        "MATCH (a)\nWHERE a.y AND NOT a.z\nRETURN a",
        "MATCH (a)\nWHERE a.x = 1 AND NOT a.z\nRETURN a",
        "MATCH (a)\nWHERE a.x = 1 AND a.y\nRETURN a",
    ]


def test_an_only_condition_leaves_with_its_where() -> None:
    assert wrong("MATCH (a) WHERE a.x RETURN a", "predicate") == ["MATCH (a)  RETURN a"]


def test_alternatives_are_dropped_as_conditions_are() -> None:
    assert wrong("MATCH (a) WHERE a.x OR a.y RETURN a", "predicate") == [
        "MATCH (a) WHERE a.y RETURN a",
        "MATCH (a) WHERE a.x RETURN a",
    ]


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("MATCH (a) WHERE (a.x AND a.y) AND a.z RETURN a", 2),
        ("MATCH (a) WHERE a.x AND CASE WHEN a.y AND a.z THEN 1 END = 1 RETURN a", 2),
        ("MATCH (a) WHERE EXISTS { (a)-->(b) WHERE b.x AND b.y } AND a.z RETURN a", 4),
        ("RETURN [x IN $xs WHERE x > 0 | x]", 1),
        ("MATCH (a) WHERE a.x STARTS WITH 'AND' AND a.y ENDS WITH 'b' RETURN a", 2),
        ("MATCH (a) // WHERE a.x AND a.y\nRETURN a", 0),
    ],
)
def test_what_is_bracketed_quoted_or_said_in_passing_is_one_condition(
    text: str, several: int
) -> None:
    assert len(wrong(text, "predicate")) == several


def test_a_bound_is_moved_by_one_and_arrows_and_inequality_are_let_be() -> None:
    assert wrong("MATCH (a)<-[:X]-(b)-->(c) RETURN a.x <= 1, a.y > 2, a.z <> 3", "bound") == [
        "MATCH (a)<-[:X]-(b)-->(c) RETURN a.x < 1, a.y > 2, a.z <> 3",
        "MATCH (a)<-[:X]-(b)-->(c) RETURN a.x <= 1, a.y >= 2, a.z <> 3",
    ]


def test_what_holds_of_everything_is_no_condition() -> None:
    assert wrong("MATCH (a) WHERE a.tenant > '' AND a.tx >= 0 AND a.x RETURN a", "predicate") == [
        "MATCH (a) WHERE a.tenant > '' AND a.tx >= 0 RETURN a"
    ]


def test_an_anchor_is_dropped_where_something_is_looked_for_and_not_where_it_is_made() -> None:
    text = "MATCH (a:A {tenant: $t, id: 1}) MERGE (b:B {source_key: $k}) CREATE (:C {tenant: $t})"
    assert wrong(text, "anchor") == [
        text.replace("tenant: $t, ", "", 1),
        text.replace("{source_key: $k}", ""),
    ]
    assert wrong("MATCH (a) WHERE a.tenant = $t AND a.x RETURN a", "anchor") == [
        "MATCH (a) WHERE a.x RETURN a"
    ]


def test_a_lock_is_dropped() -> None:
    text = "MATCH (a)\nSET a.locked_by = $token\nWITH a RETURN a"
    assert wrong(text, "lock") == ["MATCH (a)\nWITH a RETURN a"]


def test_every_lock_of_the_catalogue_has_its_mutant_and_no_two_mutants_are_one() -> None:
    kinds = Counter(mutant.kind for text in texts().values() for mutant in mutants(text))
    assert kinds["lock"] == sum(s.text.count(".locked_by = $token") for s in load().values())
    for text in texts().values():
        assert len({mutant.of(text) for mutant in mutants(text)} - {text}) == len(mutants(text))
