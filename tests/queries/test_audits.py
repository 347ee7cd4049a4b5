"""Audit files: title, examples and one reading statement; their rows come as plain values."""

from pathlib import Path

import pytest
from neo4j import Driver

from app.core.errors import Invalid, InvalidInput, NotFound
from app.graph.audits import Neo4jAudits, load_audits, parse_audit

AUDIT = """\
// Heads and versions
//
// Lists answers whose head differs
// from the newest version.
// invariant: yes
:param tenant => 'demo'
:param ids => ['a', 'b'];
:param at => 5

// only these
MATCH (a:SAVED_ANSWER {tenant: $tenant}) WHERE a.answer_id IN $ids AND a.seq < $at
RETURN a.answer_id AS answer;
"""


def test_a_file_is_split_into_title_text_examples_and_statement() -> None:
    audit, problems = parse_audit("heads", AUDIT)
    assert problems == []
    assert audit.title == "Heads and versions"
    assert audit.about == "Lists answers whose head differs from the newest version."
    assert audit.invariant
    assert audit.examples == {"tenant": "demo", "ids": ["a", "b"], "at": 5}
    assert audit.text.startswith("// only these\nMATCH")
    assert audit.text.endswith("AS answer")


def test_an_audit_is_no_invariant_unless_it_says_so() -> None:
    audit, _ = parse_audit("heads", AUDIT.replace("// invariant: yes\n", ""))
    assert not audit.invariant


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (AUDIT.partition(":param")[0], "", "has no title"),
        (":param at => 5\n", "", "uses $at without an example"),
        ("a.seq < $at", "true", "does not use $at"),
        ("=> 5", "=> five", "the example of $at is no literal"),
        (":param at => 5", ":param at 5\n:param at => 5", "has a line that is no `:param"),
        ("RETURN", "SET a.seq = 1 RETURN", "holds SET"),
        ("RETURN", "RETURN 1; MATCH (a) RETURN", "is not exactly one statement"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "heads.cypher").write_text(AUDIT.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        load_audits(tmp_path)
    (problem,) = caught.value.problems
    assert problem.field == "cypher/audit/heads.cypher"
    assert told in problem.message


def test_the_shipped_audits_are_in_order() -> None:
    assert isinstance(load_audits(), dict)


def audits(driver: Driver, text: str) -> Neo4jAudits:
    made, problems = parse_audit("made", f"// Made\n:param x => 1\n{text}")
    assert problems == []
    return Neo4jAudits(driver, {"made": made})


def test_rows_come_as_plain_values(driver: Driver) -> None:
    shapes = "RETURN $x AS x, [{a: 1}] AS list, null AS none"
    assert audits(driver, shapes).run("made", {"x": 7}) == [
        {"x": 7, "list": [{"a": 1}], "none": None}
    ]


def test_nodes_and_paths_come_as_maps_and_lists(driver: Driver) -> None:
    text = """
    MATCH p = (l:__Neo4jMigration {version: 'BASELINE', project: 'telha'})-[:MIGRATED_TO]->(m)
    WHERE $x = 1 RETURN p, l, [m] AS ms
    """
    (row,) = audits(driver, text.strip()).run("made", {"x": 1})
    node = {
        "labels": ["__Neo4jMigration"],
        "properties": {"project": "telha", "version": "BASELINE"},
    }
    assert row["l"] == node
    assert isinstance(row["p"], list)
    assert row["p"][0] == node
    assert row["p"][1]["type"] == "MIGRATED_TO"
    assert row["ms"] == [row["p"][2]]


@pytest.mark.parametrize("given", [{}, {"x": 1, "y": 2}, {"y": 2}])
def test_parameters_given_are_those_with_examples(driver: Driver, given: dict[str, object]) -> None:
    with pytest.raises(Invalid) as caught:
        audits(driver, "RETURN $x AS x").run("made", given)
    assert caught.value.code == "AUDIT_PARAMETER"
    assert caught.value.field in {"x", "y"}


def test_an_unknown_audit_is_not_found(driver: Driver) -> None:
    with pytest.raises(NotFound) as caught:
        audits(driver, "RETURN $x AS x").run("nothing", {})
    assert caught.value.code == "AUDIT_UNKNOWN"
