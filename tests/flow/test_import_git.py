"""Import from git: documents follow renames, ends and merges, whatever authors' clocks say."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.core.errors import Invalid, Unavailable
from app.core.instants import DAY, SECOND
from app.core.states import Status
from app.flow import imports
from app.flow.import_git import import_git
from app.flow.sources import list_versions, read_version, read_winner
from app.payloads.imports import GitImported
from app.payloads.sources import SourceVersionView
from tests.builders import NOON, Cite, Said, World, refused
from tests.dumps import RUN_TIMES, Graph
from tests.fakes import Broken
from tests.flow.conftest import Worlds
from tests.flow.test_imports import Killed

BEGIN = NOON - 1000 * DAY
LONG = "This is a page of some length, so that it is alike after a change.\n" * 9


@dataclass
class Repo:
    """A small repository whose nth commit is dated n days after ``BEGIN``."""

    path: Path
    day: int = 0

    def git(self, *arguments: str, **environment: str) -> str:
        named = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in NAMES}
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            env=os.environ | named | ALONE | environment,
            check=True,
            capture_output=True,
        )
        return done.stdout.decode().strip()

    def write(self, path: str, content: str | bytes) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, *, author: int | None = None, committer: int | None = None) -> str:
        """Commit what the tree holds; days other than the next one are stated."""
        self.day += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x", **self.dates(author, committer))
        return self.git("rev-parse", "HEAD")

    def dates(self, author: int | None = None, committer: int | None = None) -> dict[str, str]:
        authored = at(self.day if author is None else author) // SECOND
        committed = at(self.day if committer is None else committer) // SECOND
        return {
            "GIT_AUTHOR_DATE": f"{authored} +0200",
            "GIT_COMMITTER_DATE": f"{committed} -0700",
        }


NAMES = ("NAME", "EMAIL")
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def at(day: int) -> int:
    return BEGIN + day * DAY


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.path.mkdir()
    made.git("init", "--quiet", "--initial-branch=main")
    return made


def imported(world: World, repo: Repo, *globs: str, since: int = 0) -> GitImported:
    wanted = globs or ("**/*.md",)
    return import_git(world.store, world.clock, world.tenant, repo.path, globs=wanted, since=since)


def stored(world: World, source_id: str) -> list[SourceVersionView]:
    """The versions of a source with their texts, the oldest first."""
    listed = list_versions(world.store, world.tenant, source_id)
    whole = [read_version(world.store, world.tenant, source_id, each.tx) for each in listed]
    return whole[::-1]


def told(world: World, source_id: str) -> list[tuple[str | None, int]]:
    """Text and day of each version of a source; ``None`` for an end."""
    return [(None if v.ends else v.text, (v.tx - BEGIN) // DAY) for v in stored(world, source_id)]


def winner(world: World, source_id: str) -> str | None:
    return read_winner(world.store, world.tenant, source_id, at=world.clock.now()).text


# Documents


def test_versions_come_in_published_order_with_their_commit(world: World, repo: Repo) -> None:
    repo.write("a.md", "one\r\n")
    first = repo.commit()
    repo.write("a.md", "two\n")
    second = repo.commit()
    done = imported(world, repo)
    assert (done.sources, done.rows, done.stored, done.head) == (1, 2, 2, second)
    assert told(world, "a.md") == [("one\r\n", 1), ("two\n", 2)]
    assert [version.origin for version in stored(world, "a.md")] == [first, second]
    assert [version.valid_from for version in stored(world, "a.md")] == [at(1), at(2)]


def test_a_document_is_followed_through_renames(world: World, repo: Repo) -> None:
    repo.write("old/a.md", LONG)
    repo.commit()
    repo.git("mv", "old/a.md", "b.md")
    repo.commit()
    repo.write("b.md", LONG + "More.")
    repo.git("mv", "b.md", "c.md")
    repo.commit()
    done = imported(world, repo)
    assert (done.sources, done.stored, done.observed) == (1, 2, 1)
    assert told(world, "old/a.md") == [(LONG, 1), (LONG + "More.", 3)]


def test_a_pure_rename_moves_no_answer(world: World, repo: Repo) -> None:
    repo.write("a.md", LONG)
    repo.commit()
    imported(world, repo)
    world.texts["a.md", at(1)] = LONG
    answer = world.answer(Said("It is long.", [Cite("a.md", at(1), "some length")]))
    repo.git("mv", "a.md", "b.md")
    repo.commit()
    imported(world, repo)
    assert world.settle() == []
    repo.write("b.md", "Short.")
    repo.commit()
    imported(world, repo)
    assert [each.answer_id for each in world.settle()] == [answer]
    assert world.status(answer) is Status.STALE


def test_a_deletion_ends_the_source_until_its_path_is_used_again(world: World, repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.commit()
    repo.git("rm", "--quiet", "a.md")
    repo.commit()
    imported(world, repo)
    assert told(world, "a.md") == [("one", 1), (None, 2)]
    assert refused(lambda: winner(world, "a.md")).code == "NO_WINNER"
    repo.write("a.md", "one")
    repo.commit()
    imported(world, repo)
    assert told(world, "a.md") == [("one", 1), (None, 2), ("one", 3)]
    assert winner(world, "a.md") == "one"


def test_a_path_left_by_a_rename_is_the_start_of_another_document(world: World, repo: Repo) -> None:
    repo.write("a.md", LONG)
    repo.commit()
    repo.git("mv", "a.md", "b.md")
    repo.commit()
    repo.write("a.md", "another")
    repo.commit()
    repo.write("b.md", LONG + "More.")
    repo.commit()
    assert imported(world, repo).sources == 2
    assert told(world, "a.md") == [(LONG, 1), (LONG + "More.", 4)]
    assert told(world, "a.md#2") == [("another", 3)]


def test_a_merge_brings_what_its_branch_did_at_its_own_time(world: World, repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.commit()
    repo.git("switch", "--quiet", "-c", "side")
    repo.write("a.md", "on the side")
    repo.write("b.md", "new on the side")
    repo.commit()
    repo.write("a.md", "two")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("c.md", "on main")
    repo.commit()
    repo.day += 1
    repo.git("merge", "--quiet", "--no-ff", "-m", "x", "side", **repo.dates())
    imported(world, repo)
    assert told(world, "a.md") == [("one", 1), ("two", 5)]
    assert told(world, "b.md") == [("new on the side", 5)]
    assert told(world, "c.md") == [("on main", 4)]


def test_a_commit_without_stamps_has_the_coordinates_of_the_one_before(
    world: World, repo: Repo
) -> None:
    repo.write("a.md", "one")
    head = repo.commit()
    repo.write("a.md", "two")
    repo.git("add", "--all")
    body = f"tree {repo.git('write-tree')}\nparent {head}\nauthor x <x>\ncommitter x <x>\n\nx\n"
    (repo.path / "body").write_text(body)
    broken = repo.git("hash-object", "-t", "commit", "-w", "--literally", "body")
    repo.git("update-ref", "HEAD", broken)
    imported(world, repo)
    found = [(version.tx, version.valid_from) for version in stored(world, "a.md")]
    assert found == [(at(1), at(1)), (at(1) + 1, at(1))]


def test_published_order_rules_where_clocks_do_not(world: World, repo: Repo) -> None:
    for day, text in ((5, "one"), (2, "two"), (9, "three")):
        repo.write("a.md", text)
        repo.commit(author=day, committer=day)
    imported(world, repo)
    assert [(v.text, v.tx, v.valid_from) for v in stored(world, "a.md")] == [
        ("one", at(5), at(5)),
        ("two", at(5) + 1, at(5)),
        ("three", at(9), at(9)),
    ]
    assert winner(world, "a.md") == "three"


def test_the_author_says_since_when_and_the_committer_names(world: World, repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.commit(author=3, committer=8)
    imported(world, repo)
    [version] = stored(world, "a.md")
    assert (version.tx, version.valid_from) == (at(8), at(3))


# Which files


def test_a_glob_is_read_as_git_reads_it(world: World, repo: Repo) -> None:
    for path in ("a.md", "p/b.md", "p/q/c.md", "p/d.txt", "[x].md"):
        repo.write(path, path)
    repo.commit()
    for globs, sources in ((("p/*.md",), 1), (("**/*.md",), 4), (("*.md", "p/*.txt"), 3)):
        assert imported(world, repo, *globs).sources == sources


def test_a_document_is_whole_if_any_of_its_paths_matches(world: World, repo: Repo) -> None:
    repo.write("drafts/a.md", LONG)
    repo.commit()
    (repo.path / "p").mkdir()
    repo.git("mv", "drafts/a.md", "p/a.md")
    repo.commit()
    repo.write("p/a.md", LONG + "More.")
    repo.commit()
    imported(world, repo, "p/*.md")
    assert told(world, "drafts/a.md") == [(LONG, 1), (LONG + "More.", 3)]


@pytest.mark.parametrize(
    "path", ["ü/ж 日本.md", 'a "quoted" \\ name.md', ":(glob)a.md", "a\tb/-.md"]
)
def test_any_path_git_can_hold_is_a_name_but_for_control_characters(
    world: World, repo: Repo, path: str
) -> None:
    repo.write(path, "so")
    commit = repo.commit()
    done = imported(world, repo)
    if "\t" in path:
        [skipped] = done.skipped
        assert (done.sources, skipped.path, skipped.commit) == (0, path, commit)
        assert skipped.why == "its path cannot be a name"
    else:
        assert (done.sources, winner(world, path)) == (1, "so")


def test_a_path_that_is_no_utf8_is_told_and_passed_over(world: World, repo: Repo) -> None:
    repo.write("a.md", "so")
    (repo.path / os.fsdecode(b"\xff.md")).write_bytes(b"so")
    repo.commit()
    done = imported(world, repo)
    assert (done.sources, [each.path for each in done.skipped]) == (1, ["\ufffd.md"])


# What is no text


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\0b", "is binary"),
        (b"caf\xe9", "is no UTF-8 from byte 3 on"),
        (b"x" * (4 * 1024 * 1024 + 1), "has 4194305 bytes, the limit is 4194304"),
    ],
)
def test_what_is_no_text_ends_what_stood_and_is_told(
    world: World, repo: Repo, content: bytes, why: str
) -> None:
    repo.write("a.md", "one")
    repo.commit()
    repo.write("a.md", content)
    commit = repo.commit()
    repo.write("b.md", content)
    repo.commit()
    repo.write("a.md", "two")
    repo.commit()
    done = imported(world, repo)
    assert [(each.path, each.why) for each in done.skipped] == [("a.md", why), ("b.md", why)]
    assert done.skipped[0].commit == commit
    assert told(world, "a.md") == [("one", 1), (None, 2), ("two", 4)]
    assert list_versions(world.store, world.tenant, "b.md") == []


def test_what_never_was_text_has_nothing_to_end(world: World, repo: Repo) -> None:
    repo.write("a.md", "kept")
    repo.write("b.md", b"a\0b")
    repo.commit()
    repo.write("b.md", b"a\0c")
    repo.commit()
    repo.git("rm", "--quiet", "b.md")
    repo.commit()
    done = imported(world, repo)
    assert [each.why for each in done.skipped] == ["is binary", "is binary"]
    assert list_versions(world.store, world.tenant, "b.md") == []


def test_a_link_is_no_file(world: World, repo: Repo) -> None:
    repo.write("a.md", "one")
    (repo.path / "link.md").symlink_to("a.md")
    repo.commit()
    (repo.path / "a.md").unlink()
    (repo.path / "a.md").symlink_to("elsewhere")
    repo.commit()
    assert imported(world, repo).sources == 1
    assert told(world, "a.md") == [("one", 1), (None, 2)]


def test_an_empty_file_says_nothing_in_words(world: World, repo: Repo) -> None:
    repo.write("a.md", "")
    repo.commit()
    imported(world, repo)
    assert told(world, "a.md") == [("", 1)]


# The same on any day, after any kill, in part


def eventful(repo: Repo) -> None:
    """Some documents with every kind of step."""
    for nth in range(4):
        repo.write(f"p/{nth}.md", f"{nth} {LONG}")
    repo.commit()
    for nth in range(4):
        repo.write(f"p/{nth}.md", f"{nth} {LONG} again {nth % 2}")
        repo.commit(author=9 - nth)
    repo.git("mv", "p/0.md", "p/moved.md")
    repo.git("rm", "--quiet", "p/1.md")
    repo.write("p/2.md", b"\0")
    repo.commit()
    repo.write("p/0.md", "new")
    repo.write("p/2.md", f"2 {LONG}")
    repo.commit()


def test_it_is_the_same_on_any_day_and_again_it_changes_nothing(
    worlds: Worlds, graph: Graph, repo: Repo
) -> None:
    eventful(repo)
    first, later = worlds(), worlds()
    later.clock.at += 30 * DAY
    whole = imported(first, repo)
    imported(later, repo)
    dumps = [graph.dump(world.tenant, without=RUN_TIMES) for world in (first, later)]
    assert dumps[0] == dumps[1]
    before = graph.dump(first.tenant)
    again = imported(first, repo)
    assert (again.stored, again.rows) == (0, whole.rows)
    assert graph.dump(first.tenant) == before


def test_killed_between_any_two_transactions_and_run_again_it_ends_the_same(
    worlds: Worlds, graph: Graph, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    eventful(repo)
    monkeypatch.setattr(imports, "_ROWS", 4)
    whole = worlds()
    imported(whole, repo)
    expected = graph.dump(whole.tenant, without=RUN_TIMES)
    for nth in range(4):
        world = worlds()
        with pytest.raises(Broken):
            imported(world.on(Killed(world.store, nth)), repo)
        world.clock.advance(60)
        imported(world, repo)
        assert graph.dump(world.tenant, without=RUN_TIMES) == expected


def test_in_part_the_coordinates_are_those_of_the_whole(worlds: Worlds, repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.write("b.md", "only")
    repo.commit(author=7, committer=7)
    repo.write("a.md", "two")
    repo.commit(author=3, committer=3)
    repo.write("a.md", "three")
    repo.commit(author=8, committer=8)
    part, whole = worlds(), worlds()
    done = imported(part, repo, since=at(7) + 1)
    imported(whole, repo)
    assert (done.sources, done.rows, done.before_since) == (1, 2, 2)
    assert stored(part, "a.md") == stored(whole, "a.md")[1:]
    imported(part, repo)
    assert told(part, "a.md") == told(whole, "a.md")
    assert told(part, "b.md") == told(whole, "b.md")


def test_what_is_no_text_ends_in_part_what_stood_in_the_whole(world: World, repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.commit()
    repo.write("a.md", b"\0")
    repo.commit()
    imported(world, repo, since=at(2))
    assert told(world, "a.md") == [(None, 2)]


def test_progress_tells_versions_reached_of_all(world: World, repo: Repo) -> None:
    eventful(repo)
    seen: list[tuple[int, int]] = []
    done = import_git(
        world.store,
        world.clock,
        world.tenant,
        repo.path,
        globs=["p/*.md"],
        progress=lambda reached, total: seen.append((reached, total)),
    )
    assert seen[-1] == (done.rows, done.rows)


def test_a_users_configuration_changes_nothing(
    worlds: Worlds, graph: Graph, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    eventful(repo)
    plain, configured = worlds(), worlds()
    imported(plain, repo)
    for name, value in (
        ("diff.renames", "false"),
        ("log.showRoot", "false"),
        ("log.showSignature", "true"),
        ("diff.noprefix", "true"),
        ("core.quotePath", "true"),
        ("log.follow", "true"),
    ):
        repo.git("config", name, value)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    imported(configured, repo)
    dumps = [graph.dump(world.tenant, without=RUN_TIMES) for world in (plain, configured)]
    assert dumps[0] == dumps[1]


# Refusals


def nothing(_: Repo) -> None:
    pass


def without_match(repo: Repo) -> None:
    repo.write("a.txt", "one")
    repo.commit()


def ahead(repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.commit(committer=1001)


def no_repository(repo: Repo) -> None:
    (repo.path / ".git").rename(repo.path / "git")


def shallow(repo: Repo) -> None:
    without_match(repo)
    whole = repo.path.rename(repo.path.with_name("whole"))
    subprocess.run(
        ["git", "clone", "--quiet", "--depth", "1", whole.as_uri(), str(repo.path)], check=True
    )


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (nothing, "REPO_EMPTY"),
        (without_match, "GLOB_MATCHES_NOTHING"),
        (ahead, "STAMP_IN_FUTURE"),
        (no_repository, "REPO_UNREADABLE"),
        (shallow, "REPO_SHALLOW"),
    ],
)
def test_what_cannot_be_imported_is_refused_and_nothing_written(
    world: World, graph: Graph, repo: Repo, prepare: Callable[[Repo], None], code: str
) -> None:
    prepare(repo)
    refusal = refused(lambda: imported(world, repo))
    assert isinstance(refusal, Invalid)
    assert refusal.code == code
    assert graph.dump(world.tenant) == []


def test_a_stamp_ahead_names_commit_and_path(world: World, repo: Repo) -> None:
    ahead(repo)
    refusal = refused(lambda: imported(world, repo))
    assert refusal.field == f"commit {repo.git('rev-parse', 'HEAD')} of 'a.md'"


def test_git_that_is_not_there_is_named(
    world: World, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    refusal = refused(lambda: imported(world, repo))
    assert isinstance(refusal, Unavailable)
    assert refusal.code == "GIT_MISSING"


def test_a_history_with_a_hole_is_told_as_git_tells_it(
    world: World, graph: Graph, repo: Repo
) -> None:
    for text in ("one", "two"):
        repo.write("a.md", text)
        repo.commit()
    first = repo.git("rev-parse", "HEAD~1")
    (repo.path / ".git" / "objects" / first[:2] / first[2:]).unlink()
    refusal = refused(lambda: imported(world, repo))
    assert (refusal.code, refusal.field) == ("REPO_UNREADABLE", "repo")
    assert first in refusal.message
    assert graph.dump(world.tenant) == []


def test_a_content_that_is_gone_is_named(world: World, repo: Repo) -> None:
    repo.write("a.md", "one")
    repo.commit()
    blob = repo.git("rev-parse", "HEAD:a.md")
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    refusal = refused(lambda: imported(world, repo))
    assert (refusal.code, refusal.field) == ("BLOB_MISSING", f"blob {blob}")
