"""Exact invalidation: over random and real histories, who is checked, and what becomes of it.

A pair is one stored change and one live answer of its tenant; the random histories together
evaluate more than 100,000 of them, each on a tenant of its own.
"""

import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config import AnswersSettings
from app.core.instants import DAY, LATEST
from app.flow.audit import run_audit
from app.graph.audits import Neo4jAudits
from tests.corpora import Row, rows
from tests.dumps import Graph
from tests.flow.conftest import Worlds
from tests.flow.histories import RandomHistory, RealHistory
from tests.flow.scene import Scene

HISTORIES = 2
PAIRS = 51_000  # of each random history
EVERY_STATUS = {"current", "partially_stale", "stale", "pending", "conflicted", "invalidated"}


def whole(_: Row) -> bool:
    return True


def an_eighth(row: Row) -> bool:
    """The first rows of every eighth document, as its name falls."""
    return zlib.crc32(row["doc"].encode()) % 8 == 0 and row["seq"] <= 20


CORPORA: dict[str, Callable[[Row], bool]] = {
    "demo-registry": whole,
    "agrc-status": whole,
    "site-policy": whole,
    "endoflife": an_eighth,
}


def reached(scene: Scene) -> set[str]:
    told = "MATCH (v:AnswerVersion {tenant: $tenant}) RETURN DISTINCT v.status AS status"
    return {row["status"] for row in scene.graph.rows(told, scene.world.tenant)}


def missed_by_the_watch(audits: Neo4jAudits, scene: Scene) -> object:
    ever = {"from": 0, "until": LATEST}
    rates = run_audit(audits, scene.world.tenant, "recheck_rates", ever, now=LATEST)
    return rates[-1]["watch_missed"]


def test_the_random_histories_make_more_than_a_hundred_thousand_pairs() -> None:
    assert HISTORIES * PAIRS > 100_000


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(HISTORIES))
def test_exactly_those_who_rest_on_a_change_are_checked_and_become_what_is_read_by_hand(
    worlds: Worlds, graph: Graph, audits: Neo4jAudits, seed: int
) -> None:
    scene = Scene(worlds(), graph)
    scene.world.answers = AnswersSettings(enabled=True, recheck_batch_size=(7, 50)[seed % 2])
    history = RandomHistory(scene, random.Random(seed))
    history.begin()
    while scene.pairs < PAIRS:
        history.batch()
        scene.settle()
        if history.chance.random() < 0.1:
            scene.world.clock.at += 8 * DAY  # every answer is due by age
        scene.sweep()
        if history.chance.random() < 0.2:
            scene.world.close_windows()
    assert reached(scene) >= EVERY_STATUS
    assert missed_by_the_watch(audits, scene) == 0


@pytest.mark.proof
@pytest.mark.timeout(600)
@pytest.mark.parametrize("corpus", CORPORA)
def test_the_same_holds_over_real_histories(
    worlds: Worlds, graph: Graph, audits: Neo4jAudits, tmp_path: Path, corpus: str
) -> None:
    scene = Scene(worlds(), graph)
    found = rows(corpus, CORPORA[corpus])
    history = RealHistory(scene, random.Random(7), found, tmp_path / "versions.jsonl")
    history.begin(answers=60)
    while history.batch():
        scene.settle()
    scene.sweep()
    assert reached(scene) >= {"current", "stale", "partially_stale"}
    assert missed_by_the_watch(audits, scene) == 0
