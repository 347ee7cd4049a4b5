"""A refresh by task name: a worker asks again, and the new answer takes the old one's place."""

import pytest

from app.core.states import Status
from app.flow.refresh import read_refresh
from app.payloads.refresh import RefreshState
from tests.worker.processes import wait_for
from tests.worker.rig import Rig

_SUCCESSOR = """
MATCH (n:SAVED_ANSWER {tenant: $tenant})-[:SUPERSEDES]->(:SAVED_ANSWER {answer_id: $answer})
RETURN n.answer_id AS answer_id
"""


@pytest.mark.slow
def test_a_worker_makes_the_new_answer_and_watches_it(own_rig: Rig) -> None:
    rig = own_rig
    answer = rig.rests_on("cap")
    rig.fleet.worker(wait=False)
    rig.fleet.beat()
    rig.contradict("cap")
    rig.settle(60)
    wait_for(lambda: rig.world.indexer().lag().sources == 0 or None, 60, "the index")

    for _ in range(2):  # asked for twice, made once
        rig.send("telha.refresh_answer", tenant=rig.tenant, answerId=answer)
    [found] = wait_for(
        lambda: rig.graph.rows(_SUCCESSOR, rig.tenant, answer=answer) or None, 60, "a successor"
    )
    made = read_refresh(rig.world.store, rig.tenant, found["answer_id"])
    assert made is not None
    assert made.state is RefreshState.DONE
    rig.settle(60)
    assert rig.world.show(answer).status is Status.SUPERSEDED
    new = rig.world.show(found["answer_id"])
    assert (new.status, new.draft) == (Status.CURRENT, "The cap of cap is 3.")
    assert rig.graph.count(rig.tenant, "SAVED_ANSWER") == 2
