"""Diff: two answers of one chain side by side."""

import pytest

from app.core.difference import Op
from app.core.errors import TelhaError
from app.flow.diff import diff_answers
from tests.builders import Cite, Said, World
from tests.flow.test_refresh import Clerk, clerk, stale

__all__ = ["clerk", "stale"]


def test_a_refreshed_answer_beside_its_old_one(world: World, clerk: Clerk, stale: str) -> None:
    new = clerk.ask(stale).new_answer_id
    clerk.work()
    view = diff_answers(world.store, world.tenant, stale, new)
    assert [(piece.op, piece.text) for piece in view.draft] == [
        (Op.SAME, "The cap is €"),
        (Op.REMOVED, "2m"),
        (Op.ADDED, "5m"),
        (Op.SAME, "."),
    ]
    [claim] = view.claims
    assert (claim.old_idx, claim.new_idx) == (0, 0)
    assert [each.quote for each in claim.old_evidence] == ["€2m"]
    assert [each.quote for each in claim.new_evidence] == ["The cap is €5m."]


def test_answers_of_different_chains_are_not_compared(
    world: World, clerk: Clerk, stale: str
) -> None:
    sky = world.version("sky", "The sky is blue.").tx
    other = world.answer(Said("The sky is blue.", [Cite("sky", sky, "blue")]))
    new = clerk.ask(stale).new_answer_id
    clerk.work()
    for old, newer, code in (
        (stale, other, "NOT_ONE_CHAIN"),
        (new, stale, "NOT_ONE_CHAIN"),
        (stale, "nobody", "ANSWER_NOT_FOUND"),
    ):
        with pytest.raises(TelhaError) as refusal:
            diff_answers(world.store, world.tenant, old, newer)
        assert refusal.value.code == code
