"""The shared corpora of real version histories, where they are at hand; tests skip what is not."""

import json
import lzma
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

Row = dict[str, Any]

SHARED = Path(__file__).parents[2] / "shared" / "data"
CASES = SHARED.parent / "cases"


@cache
def gold(corpus: str) -> tuple[Row, ...]:
    """Return the labelled changes of a corpus, none where it is not at hand."""
    labelled = SHARED / corpus / "gold.jsonl"
    if not labelled.exists():
        return ()
    return tuple(json.loads(line) for line in labelled.read_text(encoding="utf-8").splitlines())


def transitions(corpus: str) -> list[tuple[Row, str, str]]:
    """Return each labelled change with the old and the new text, which is empty where it ended."""
    labelled = gold(corpus)
    ends = ("old_commit", "new_commit")
    wanted = {row[end] for row in labelled for end in ends}
    found = rows(corpus, lambda version: version["commit"] in wanted)
    texts = {(each["commit"], each["source"]): each["text"] or "" for each in found}
    return [
        (
            row,
            texts[row["old_commit"], row.get("prev_source", row["source"])],
            texts.get((row["new_commit"], row["source"]), ""),
        )
        for row in labelled
    ]


def rows(corpus: str, wanted: Callable[[Row], bool]) -> list[Row]:
    """Return the wanted rows of a corpus in the order of its file; skip where it is not at hand."""
    return [row for line in _lines(SHARED / corpus) if wanted(row := json.loads(line))]


def _lines(folder: Path) -> Iterator[str]:
    plain, packed = folder / "versions.jsonl", folder / "versions.jsonl.xz"
    if plain.exists():
        yield from plain.read_text(encoding="utf-8").splitlines()
    elif packed.exists():
        with lzma.open(packed, "rt", encoding="utf-8") as file:
            yield from file
    else:
        pytest.skip(f"{folder.name} is not at hand")
