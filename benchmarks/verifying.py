"""Claims verified a second, what becomes of the labelled changes, and how often a check asks."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from app.core.instants import instant
from app.core.match import Support, match
from app.core.reading import statements
from app.core.spans import Lost, compare
from app.core.states import ClaimCheck
from app.demo.registry import registry
from app.demo.registry import statements as published
from app.flow.import_jsonl import import_jsonl
from app.flow.sources import read_winner
from app.flow.verify import Matcher
from app.models.local import LocalEmbedder
from app.ports import Verified
from benchmarks.stage import Stage, StandingClock, require
from benchmarks.timing import Measure, interleaved, median
from tests.core.test_match import DATA, DEBATABLE, SENTENCES, labelled
from tests.corpora import gold

_CORPORA: Final = ("site-policy", "endoflife", "agrc-status", "demo-registry")
_SOURCES: Final = 40
_AFTERWARDS: Final = instant("2026-06-01T00:00:00Z", field="clock")
"""When all that the registry holds was published."""


@dataclass
class _Counting:
    """The matcher, and how many answers it was asked about."""

    matcher: Matcher
    asked: int = 0
    configured: bool = True

    def verify(self, tenant: str, affected: Mapping[str, Sequence[ClaimCheck]]) -> Verified:
        """Ask the matcher."""
        self.asked += len(affected)
        return self.matcher.verify(tenant, affected)


def measured(stage: Stage, *, rounds: int) -> Iterator[Measure]:
    """Yield the rates of the matcher: by its rules, with a model that ranks, and in real life."""
    pairs = [json.loads(line) for line in (DATA / "pairs.jsonl").read_text().splitlines()]
    embedder = LocalEmbedder()

    def rules() -> None:
        for pair in pairs:
            match(pair["claim"], pair["new_span"], old_span=pair["old_span"])

    def ranked() -> None:
        said = [[each.raw for each in statements(pair["new_span"], "en")] for pair in pairs]
        texts = [pair["claim"] for pair in pairs] + [each for held in said for each in held]
        vectors = dict(zip(texts, embedder.embed(texts), strict=True))
        for pair, held in zip(pairs, said, strict=True):
            claim = vectors[pair["claim"]]
            near = {each: int(1000 * (claim @ vectors[each])) for each in held}
            match(pair["claim"], pair["new_span"], old_span=pair["old_span"], near=near)

    took = interleaved({"rules": rules, "ranked": ranked}, rounds=rounds)
    for name, bar in (("rules", 200), ("ranked", 1)):
        rate = len(pairs) / median(took[name])
        told = "by the rules" if name == "rules" else "with the local model (no bar)"
        said = f"claims verified a second {told}"
        yield Measure(said, bar, rate, "claims/s", 1.0, at_most=False)
    yield from _side_by_side(rounds)
    yield _in_a_history(stage)


def _side_by_side(rounds: int) -> Iterator[Measure]:
    """Lay two versions side by side: prose, one sentence in 100 changed; data, one line in 7."""
    said = [f"Clause {n} holds for {n % 90} days after notice to party {n}." for n in range(20_000)]
    more = [f"{each[:-1]} at most." if n % 100 == 0 else each for n, each in enumerate(said)]
    lines = [f"key_{n}: value {n % 97}" for n in range(42_000)]
    other = [f"{each}1" if n % 7 == 0 else each for n, each in enumerate(lines)]
    pairs = {
        "prose": (" ".join(said), " ".join(more)),
        "short lines of data": ("\n".join(lines), "\n".join(other)),
    }
    works = {kind: partial(compare, *pair) for kind, pair in pairs.items()}
    took = interleaved(works, rounds=min(rounds, 5))
    for kind, (old, _) in pairs.items():
        name = f"two versions of {len(old) / 1e6:.1f} MB of {kind} laid side by side"
        yield Measure(name, 1.0, median(took[kind]), "s", 1.0)


def confusion() -> Table:
    """Return what becomes of each labelled change, by corpus; needs the shared corpora."""
    table = Table("corpus", "claim", "stale, moved", "stale, missed", "fresh, moved", "fresh, kept")
    for corpus in _CORPORA:
        for said, claims in (("cited text", {}), ("sentence", SENTENCES)):
            counts: Counter[tuple[bool, bool]] = Counter()
            for row, found in labelled(corpus, claims) if gold(corpus) else ():
                kept = not isinstance(found, Lost) and found.verdict is Support.SUPPORTED
                if row["id"] not in DEBATABLE and row["old_span"]:
                    counts[row["stale"], kept] += 1
            cells = [(True, False), (True, True), (False, False), (False, True)]
            table.add_row(corpus, said, *(str(counts[cell]) for cell in cells))
    return table


def _in_a_history(staged: Stage) -> Measure:
    """Replay the shipped registry under answers that cite it; count the checks that ask."""
    stage = replace(staged, clock=StandingClock(_AFTERWARDS))
    tenant = stage.tenant("verify")
    rows = list(published(registry()))
    first = [row for row in rows if row["seq"] == 1 and "valid_to" not in row]
    docs = sorted(row["doc"] for row in first)[:_SOURCES]
    counting = _Counting(Matcher(stage.store, stage.clock, LocalEmbedder()))
    _import(stage, tenant, [row for row in first if row["doc"] in docs])
    for doc in docs:
        now = stage.clock.now()
        winner = read_winner(stage.store, tenant, doc, at=now)
        stage.answer(tenant, {doc: winner.tx}, quote=(winner.text or "")[:3])
    checked = stage.settle(tenant, counting)
    require(checked == len(docs), f"{checked} first checks")
    for seq in range(2, 1 + max(row["seq"] for row in rows if row["doc"] in docs)):
        _import(stage, tenant, [row for row in rows if row["doc"] in docs and row["seq"] <= seq])
        checked += stage.settle(tenant, counting)
    name = "share of checks that asked the matcher, over a real history (no bar)"
    return Measure(name, checked, counting.asked, "checks", 1.0)


def _import(stage: Stage, tenant: str, rows: Sequence[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "versions.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        import_jsonl(stage.store, stage.clock, tenant, path)
