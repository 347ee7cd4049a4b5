"""The shipped registry as rows to import: rates that hold until a date become windows.

A rate file says ``before: {date: rate}``: until that date another rate held. Each date cuts the
line, and each stretch of it becomes a statement of its own with a window. Only stretches that are
new or changed against the row before are stated.
"""

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from app.core.instants import instant

Row = dict[str, Any]
Stretch = tuple[int | None, int | None, str]

_CORPUS: Final = files("app.demo") / "corpus" / "versions.jsonl"


def registry() -> list[Row]:
    """Return the published rows of the corpus, in file order."""
    lines = _CORPUS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def statements(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows to import for published ``rows``, numbered anew within each document."""
    before: dict[str, set[Stretch]] = {}
    seqs: dict[str, int] = {}
    for row in rows:
        doc = row["doc"]
        stretches = _stretches(row["text"])
        for stretch in stretches:
            if stretch in before.get(doc, set()):
                continue
            seqs[doc] = seqs.get(doc, 0) + 1
            yield _statement(row, seqs[doc], stretch, windowed=len(stretches) > 1)
        before[doc] = set(stretches)


def _statement(row: Row, seq: int, stretch: Stretch, *, windowed: bool) -> Row:
    start, end, text = stretch
    window = {"valid_from": start or 0, "valid_to": end} if windowed else {}
    return row | {"seq": seq, "text": text} | window


def _stretches(text: str) -> list[Stretch]:
    """Return the stretches of a document's line, each with the text that holds there."""
    body = json.loads(text)
    dates = sorted(set(_dates(body)), key=lambda date: instant(date, field="before"))
    if not dates:
        return [(None, None, text)]
    bounds = [None, *(instant(date, field="before") for date in dates), None]
    return [
        (start, end, json.dumps(_as_of(body, start), indent=1, ensure_ascii=False))
        for start, end in pairwise(bounds)
    ]


def _dates(body: Any) -> Iterator[str]:
    if isinstance(body, dict):
        yield from body.get("before", ())
        for value in body.values():
            yield from _dates(value)


def _as_of(body: Any, at: int | None) -> Any:
    """Return the document as it holds from ``at`` on (``None``: from the beginning)."""
    if not isinstance(body, dict):
        return body
    until = {instant(date, field="before"): held for date, held in body.get("before", {}).items()}
    for end in sorted(until):
        if at is None or at < end:
            return _as_of(until[end], at)
    return {key: _as_of(held, at) for key, held in body.items() if key != "before"}
