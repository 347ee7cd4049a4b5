"""Runs every audit query on a graph, and compares what it tells with what its model tells."""

from typing import Any

from app.flow.audit import broken_invariants, run_audit
from app.ports import Audits
from tests.builders import World
from tests.model import audits as wanted
from tests.model.tenant import Tenant

Row = dict[str, Any]


def compare_audits(model: Tenant, world: World, queries: Audits, ids: list[str]) -> None:
    """Compare the rows of every audit query; the invariants must return none."""
    now = world.clock.now()

    def run(name: str, **given: Any) -> list[Row]:
        return run_audit(queries, world.tenant, name, given, now=now)

    for answer, answer_id in zip(model.answers, ids, strict=True):
        rows = wanted.citations_of_answer(model, answer, now)
        assert_same(run("citations_of_answer", answer_id=answer_id), rows)
        history = wanted.history_of_answer(answer)
        assert_same(run("history_of_answer", answer_id=answer_id), history)
        told = run("why_rechecked", answer_id=answer_id)
        changes = [row for row in told if row["kind"] == "change"]
        newest_first = sorted(
            wanted.why_rechecked(model, answer), key=lambda row: (row["target"], -row["seq"])
        )
        assert_same(sorted(changes, key=lambda row: (row["target"], -row["seq"])), newest_first)
        assert sum(row["kind"] == "check" for row in told) == answer.checks
        [alone] = run("supersession_chain", answer_id=answer_id)
        assert alone["answer_id"] == answer_id
    for source_id in model.sources:
        rows = wanted.answers_touched_by_source(model, ids, source_id)
        assert_same(run("answers_touched_by_source", source_id=source_id), rows)
    for until in (now, now + model.max_age // 2, now + 2 * model.max_age):
        rows = wanted.answers_due(model, ids, 0, until)
        assert_same(run("answers_due", **{"from": 0, "until": until}), rows)
    most = wanted.sources_with_most_dependants(model, ids)
    assert_same(run("sources_with_most_dependants", limit=9), most)
    never = run("versions_that_never_won")
    for row in never:
        row["stands"] = row["why"] not in ("withdrawn", "cascade")
    assert_same(never, wanted.versions_that_never_won(model))
    newer = wanted.overrides_with_newer(model, ids)
    assert_same(run("overrides_with_newer"), newer)
    assert broken_invariants(queries, world.tenant) == {}


def assert_same(told: list[Row], rows: list[Row]) -> None:
    """Compare rows in order, column by column of those that the model knows."""
    keys = rows[0].keys() if rows else set()
    assert [{key: row[key] for key in keys} for row in told] == rows
