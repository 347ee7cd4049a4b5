"""Every labelled change with the matcher on: what went stale leaves `current`, the rest comes back.

Once with the old span verbatim as the claim, once with a sentence that someone would write.
"""

import json
from pathlib import Path
from typing import Final

import pytest

from app.core.instants import DAY
from app.core.states import Status
from app.flow.sources import read_winner
from app.flow.verify import Matcher
from app.graph.store import Neo4jStore
from tests.builders import Cite, Said, SetClock, World
from tests.corpora import Row
from tests.e2e.test_gold import LABELLED, PURE_RENAMES, imported, neighbours, newest_stamp

WRITTEN: Final = {
    row["id"]: row["claim"]
    for row in map(
        json.loads,
        (Path(__file__).parents[1] / "core/data/gold-claims.jsonl").read_text().splitlines(),
    )
}
DEBATABLE: Final = {"sp-12", "sp-13", "eo-13"}
"""Labelled either way on purpose; moved or not, neither is a fault."""
FALSE_ALARM: Final = {"ag-09"}
"""The one fresh row that is not cleared, said either way: "turning green" was reworded."""
CHANGES: Final = [each for each in LABELLED if each[1]["id"] not in PURE_RENAMES]


def claim_of(change: Row, said: str) -> str:
    return str(change["old_span"] if said == "verbatim" else WRITTEN[change["id"]])


@pytest.mark.proof
@pytest.mark.timeout(300)
@pytest.mark.parametrize("said", ["verbatim", "written"])
@pytest.mark.parametrize(
    ("corpus", "change"), CHANGES, ids=[str(change["id"]) for _, change in CHANGES]
)
def test_a_labelled_change_moves_its_answer_if_it_is_stale(
    store: Neo4jStore, tmp_path: Path, corpus: str, change: Row, said: str
) -> None:
    world = World(store, clock=SetClock(newest_stamp(corpus) + DAY))
    world.verifier = Matcher(store, world.clock)
    path = tmp_path / "versions.jsonl"
    old, new = neighbours(corpus, change)
    imported(world, path, old)
    winner = read_winner(store, world.tenant, new["doc"], at=world.clock.now())
    world.texts[new["doc"], winner.tx] = winner.text or ""
    cited = [Cite(new["doc"], winner.tx, change["old_span"])]
    answer_id = world.answer(Said(claim_of(change, said), cited))
    assert world.status(answer_id) is Status.CURRENT

    imported(world, path, [*old, new])
    world.settle()

    stale = world.status(answer_id) is Status.STALE
    if change["id"] not in DEBATABLE | FALSE_ALARM:
        assert stale is change["stale"]
    world.close_windows()
    assert len(world.events()) == stale
