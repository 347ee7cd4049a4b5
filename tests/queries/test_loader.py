"""Every disagreement between a query file, its header and the catalogue is told, and told where."""

import zipfile
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import InvalidInput
from app.graph.catalog import Query, queries
from app.graph.loader import load
from app.graph.rows import Nothing


@dataclass(frozen=True)
class Tx:
    tx: int


READ = """\
// Read the newest tx of a source.
// params: tenant, source_id
// columns: tx
// access: read
MATCH (s:Source {tenant: $tenant, source_id: $source_id})
RETURN s.last_tx AS tx
"""
WRITE = """\
// Forget a source.
// params: tenant
// columns: none
// access: write
MATCH (s:Source {tenant: $tenant}) DELETE s
"""


def package(folder: Path, **files: str) -> Path:
    (folder / "step").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "step" / f"{name}.cypher").write_text(text, encoding="utf-8")
    return folder


def problems(package: Traversable, *catalogue: Query[Any]) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        load(catalogue, package)
    assert caught.value.code == "CYPHER_INVALID"
    return [f"{problem.field}: {problem.message}" for problem in caught.value.problems]


def test_a_file_that_agrees_is_split_into_header_and_text(tmp_path: Path) -> None:
    query = Query("step/read", Tx)
    statement = load([query], package(tmp_path, read=READ))["step/read"]
    assert statement.about == "Read the newest tx of a source."
    assert statement.params == ("tenant", "source_id")
    assert statement.columns == ("tx",)
    assert statement.access == "read"
    assert statement.all_tenants is None
    assert statement.text == READ.partition("access: read\n")[2].strip()


def test_a_long_header_goes_on_in_the_next_comment_line(tmp_path: Path) -> None:
    text = READ.replace("// params: tenant, source_id", "// params: tenant,\n//   source_id")
    statement = load([Query("step/read", Tx)], package(tmp_path, read=text))["step/read"]
    assert statement.params == ("tenant", "source_id")


def test_parameters_in_strings_comments_and_quoted_names_are_none(tmp_path: Path) -> None:
    hidden = "WITH s, '$a \\' $b' AS x, \"$c\" AS `$d``$e` // $f\n/* $g\n $h */\nRETURN"
    text = READ.replace("RETURN", hidden)
    assert load([Query("step/read", Tx)], package(tmp_path, read=text))["step/read"].params


@pytest.mark.parametrize(
    "line",
    [
        "WITH s.set AS x, {create: 1, merge: 2} AS m, s AS delete",
        "// SET nothing\n",
        "WHERE s.title = 'DELETE' AND s.`SET` = 1",
        "MATCH (s)-[:SET]->(:CREATE)",
    ],
)
def test_names_that_look_like_writing_clauses_are_none(tmp_path: Path, line: str) -> None:
    text = READ.replace("RETURN", f"{line} RETURN")
    assert load([Query("step/read", Tx)], package(tmp_path, read=text))


@pytest.mark.parametrize(
    "clause",
    [
        "CREATE (:X)",
        "MERGE (:X)",
        "SET s.x = 1",
        "set s.x = 1",
        "REMOVE s.x",
        "DELETE s",
        "DETACH DELETE s",
        "FOREACH (x IN [1] | CREATE (:X))",
        "CALL (s) { CREATE (s)-[:X]->(s) }",
    ],
)
def test_a_reading_query_holds_no_writing_clause(tmp_path: Path, clause: str) -> None:
    text = READ.replace("RETURN", f"{clause} WITH s RETURN")
    (told,) = problems(package(tmp_path, read=text), Query("step/read", Tx))
    assert "says `access: read`, yet holds" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("// Read the newest tx of a source.\n", "", "does not say what it does"),
        ("// params: tenant, source_id\n", "", "has no `// params:` line"),
        ("// columns: tx\n", "", "has no `// columns:` line"),
        ("// access: read\n", "", "has no `// access: read` or"),
        ("access: read", "access: reads", "has no `// access: read` or"),
        ("tenant, source_id", "tenant source_id", "is no list of names"),
        ("tenant, source_id", "tenant, source_id,", "is no list of names"),
        ("tenant, source_id", "tenant, source_id, tenant", "names something twice"),
        ("// access", "// tenant: all\n// access", "gives no reason"),
        ("// access", "// tenant: some — why\n// access", "gives no reason"),
        ("tenant, source_id", "tenant", "uses $source_id, which `// params:` does not name"),
        ("tenant, source_id", "tenant, source_id, at", "does not use $at"),
        ("columns: tx", "columns: tx, at", "column at is missing from row Tx"),
        ("columns: tx", "columns: none", "column tx is missing from `// columns:`"),
        ("MATCH", "RETURN 1; MATCH", "is not exactly one statement"),
        ("access: read", "access: write", "yet writes nothing"),
    ],
)
def test_each_disagreement_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in READ
    found = problems(package(tmp_path, read=READ.replace(old, new)), Query("step/read", Tx))
    assert any(line.startswith("cypher/step/read.cypher: ") and told in line for line in found)


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    found = problems(package(tmp_path, read=""), Query("step/read", Tx))
    assert any("is not exactly one statement" in line for line in found)


def test_a_last_semicolon_is_allowed_and_not_sent(tmp_path: Path) -> None:
    text = WRITE.replace("DELETE s", "DELETE s;")
    statement = load([Query("step/forget", Nothing)], package(tmp_path, forget=text))
    assert statement["step/forget"].text.endswith("DELETE s")


def test_a_file_without_declaration_and_a_declaration_without_file_are_told(tmp_path: Path) -> None:
    found = problems(package(tmp_path, read=READ), Query("step/forget", Nothing))
    assert found == [
        "cypher/step/forget.cypher: is declared, but there is no such file: write it",
        "cypher/step/read.cypher: is not in the catalogue: declare it in app/graph/queries",
    ]


def test_a_query_declared_twice_is_told(tmp_path: Path) -> None:
    found = problems(package(tmp_path, read=READ), *[Query("step/read", Tx) for _ in range(2)])
    assert found == ["cypher/step/read.cypher: is declared twice in the catalogue: keep one"]


def test_all_problems_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    files = package(
        tmp_path,
        read=READ.replace("tenant, source_id", "tenant"),
        forget=WRITE.replace("write", "read"),
    )
    found = problems(files, Query("step/read", Tx), Query("step/forget", Nothing))
    assert [line.partition(":")[0] for line in found] == [
        "cypher/step/read.cypher",
        "cypher/step/forget.cypher",
    ]


def test_audits_and_migrations_are_no_queries(tmp_path: Path) -> None:
    for folder in ("audit", "migrations"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.cypher").write_text("RETURN 1", encoding="utf-8")
    assert load([], tmp_path) == {}


def test_queries_load_from_an_archive_as_well(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "wheel.zip", "w") as archive:
        archive.writestr("cypher/step/read.cypher", READ)
    root = zipfile.Path(zipfile.ZipFile(tmp_path / "wheel.zip"), "cypher/")
    assert "step/read" in load([Query("step/read", Tx)], root)


def test_the_shipped_queries_agree_with_the_catalogue() -> None:
    assert load().keys() == {query.name for query in queries()}
