"""Documents of a history: names, renames, ends, and paths that are used again."""

import random

import pytest

from app.core.documents import Commit, Document, Touch, documents

PATHS = ["a", "b", "c", "d"]
Step = list[Touch]


def told(*steps: Step) -> dict[str, list[tuple[str, str | None]]]:
    """Path and content of each version, by document."""
    history = [(Commit(f"c{nth}", None, None), step) for nth, step in enumerate(steps)]
    return {
        each.name: [(version.path, version.blob) for version in each.versions]
        for each in documents(history)
    }


def put(path: str, blob: str) -> Touch:
    return Touch(path, blob)


def gone(path: str) -> Touch:
    return Touch(path, None)


def moved(old_path: str, path: str, blob: str) -> Touch:
    return Touch(path, blob, old_path)


def test_a_path_is_a_document_while_nothing_moves() -> None:
    assert told([put("a", "1"), put("b", "2")], [put("a", "3")]) == {
        "a": [("a", "1"), ("a", "3")],
        "b": [("b", "2")],
    }


def test_a_chain_of_renames_in_one_step_is_done_at_once() -> None:
    steps = [put("a", "1"), put("b", "2")], [moved("a", "b", "1"), moved("b", "c", "2")]
    assert told(*steps) == {"a": [("a", "1"), ("b", "1")], "b": [("b", "2"), ("c", "2")]}


def test_a_rename_to_a_path_that_is_deleted_in_the_same_step_by_another() -> None:
    steps = [put("a", "1"), put("b", "2")], [gone("b"), moved("a", "c", "1")], [put("b", "3")]
    assert told(*steps)["b"] == [("b", "2"), ("b", None), ("b", "3")]


def test_a_path_left_by_a_rename_starts_another_document() -> None:
    steps = [put("a", "1")], [moved("a", "b", "1")], [put("a", "2")], [moved("a", "c", "2")]
    found = told(*steps, [put("a", "3")])
    assert found == {
        "a": [("a", "1"), ("b", "1")],
        "a#2": [("a", "2"), ("c", "2")],
        "a#3": [("a", "3")],
    }


def test_a_document_goes_on_where_it_was_deleted_and_nowhere_else() -> None:
    steps = [put("a", "1")], [moved("a", "b", "1")], [gone("b")], [put("a", "2")], [put("b", "3")]
    found = told(*steps)
    assert found["a"] == [("a", "1"), ("b", "1"), ("b", None), ("b", "3")]
    assert found["a#2"] == [("a", "2")]


def test_where_another_document_came_and_left_the_deleted_one_does_not_go_on() -> None:
    steps = [put("a", "1"), put("b", "2")], [gone("a")], [moved("b", "a", "2")]
    found = told(*steps, [moved("a", "c", "2")], [put("a", "3")])
    assert found["a"] == [("a", "1"), ("a", None)]
    assert found["a#2"] == [("a", "3")]


def test_what_turns_into_no_file_ends_also_under_a_new_path() -> None:
    assert told([put("a", "1")], [Touch("b", None, "a")], [put("b", "2")]) == {
        "a": [("a", "1"), ("b", None), ("b", "2")]
    }


def test_what_never_was_a_file_is_no_document() -> None:
    assert told([gone("a")], [Touch("b", None, "a")]) == {}


def test_a_document_tells_which_commit_made_each_version_and_where_it_ever_lay() -> None:
    commits = [Commit(f"c{nth}", None, None) for nth in range(3)]
    steps = [[put("a", "1")], [moved("a", "b", "1")], [gone("b")]]
    (found,) = documents(zip(commits, steps, strict=True))
    assert [version.commit for version in found.versions] == commits
    assert found.paths == {"a", "b"}


def grown(seed: int, steps: int) -> list[tuple[Commit, Step]]:
    """A random history, each step possible after the one before."""
    chance, tree = random.Random(seed), dict[str, str]()
    history = []
    for nth in range(steps):
        step: Step = []
        free = [path for path in PATHS if path not in tree]
        match chance.choice(["put", "gone", "moved"]):
            case "moved" if tree and free:
                old, new = chance.choice(sorted(tree)), chance.choice(free)
                tree[new] = tree.pop(old)
                step = [moved(old, new, tree[new])]
            case "gone" if tree:
                path = chance.choice(sorted(tree))
                del tree[path]
                step = [gone(path)]
            case _:
                path = chance.choice(PATHS)
                tree[path] = f"{nth}"
                step = [put(path, tree[path])]
        history.append((Commit(f"c{nth}", None, None), step))
    return history


@pytest.mark.parametrize("seed", range(50))
def test_a_history_that_grows_renames_nothing_and_loses_nothing(seed: int) -> None:
    history = grown(seed, 30)
    before: list[Document] = []
    for length in range(len(history) + 1):
        after = documents(history[:length])
        for old, new in zip(before, after, strict=False):
            assert new.name == old.name
            assert new.versions[: len(old.versions)] == old.versions
        before = after
    assert sum(len(each.versions) for each in before) == len(history)
    lying = [each.versions[-1].path for each in before if each.versions[-1].blob is not None]
    assert len(set(lying)) == len(lying)
