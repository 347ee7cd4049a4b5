"""Re-checks that change something, against bare commits that lock one answer each."""

from collections.abc import Iterator

from benchmarks.stage import Stage, require
from benchmarks.timing import Measure, interleaved, median

_LOCKED_COMMIT = """
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $id})
SET a.locked_by = $token
WITH a
MATCH (a)-[h:HEAD]->(last:AnswerVersion)
DELETE h
CREATE (a)-[:HEAD]->(v:AnswerVersion {tenant: $tenant, answer_id: $id, seq: last.seq + 1})
CREATE (v)-[:PREVIOUS]->(last)
SET a.seq = last.seq + 1
"""


def measured(stage: Stage, *, answers: int, rounds: int) -> Iterator[Measure]:
    """Yield the rate of changed re-checks, from a change to a settled tenant."""
    tenant = stage.tenant("checks")
    bare_tenant = stage.tenant("bare")
    tx = stage.version(tenant, "s", "The limit is 1.").tx
    ids = [stage.answer(tenant, {"s": tx}) for _ in range(answers)]
    bare_tx = stage.version(bare_tenant, "s", "The limit is 1.").tx
    bare_ids = [stage.answer(bare_tenant, {"s": bare_tx}) for _ in range(answers)]
    stage.settle(tenant)
    counter = iter(range(2, 10**9))

    def product() -> None:
        stage.version(tenant, "s", f"The limit is {next(counter)}.")
        checked = stage.settle(tenant)
        require(checked == len(ids), f"{checked} checked")

    def bare() -> None:
        for answer_id in bare_ids:
            stage.driver.execute_query(
                _LOCKED_COMMIT, tenant=bare_tenant, id=answer_id, token=answer_id
            )

    took = interleaved({"bare": bare, "product": product}, rounds=rounds)
    yield Measure(
        "changed re-checks ÷ bare locked commits of one answer each",
        answers / median(took["bare"]),
        answers / median(took["product"]),
        "answers/s",
        1.0,
        at_most=False,
    )
